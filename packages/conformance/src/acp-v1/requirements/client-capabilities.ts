import { demand } from '../check-error.ts';
import { wholeConversation } from '../conversation.ts';
import { shown } from '../json-value.ts';
import type { AgentRequirement } from '../requirement.ts';

/** That an agent asks only for what its client has. */
export const clientCapabilities: readonly AgentRequirement[] = [
  notCalled('ACP-CLIENTCAP-001', 'fs/', 'files'),
  notCalled('ACP-CLIENTCAP-002', 'terminal/', 'terminals'),
  notCalled('ACP-CLIENTCAP-003', 'elicitation/', 'elicitations'),
];

function notCalled(id: string, prefix: string, what: string): AgentRequirement {
  return {
    id,
    tier: 'mandatory',
    title: `a client that did not declare ${what} is not asked for them`,
    async run(kit) {
      const { agent } = await wholeConversation(kit);
      const call = agent.messages.find(
        ({ method }) => typeof method === 'string' && method.startsWith(prefix),
      );
      demand(call === undefined, `the agent called ${shown(call)}`);
    },
  };
}
