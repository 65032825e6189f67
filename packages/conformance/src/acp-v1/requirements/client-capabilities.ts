import { valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand } from '../check-error.ts';
import { updatesOf } from '../conversation.ts';
import { listAt, shown } from '../json-value.ts';
import { specification } from '../requirement.ts';

/** An agent uses only what its client declares. */
export const clientCapabilities: readonly AgentRequirement[] = [
  notCalled('ACP-CLIENTCAP-001', 'fs/', 'files', 'file-system'),
  notCalled('ACP-CLIENTCAP-002', 'terminal/', 'terminals', 'terminals'),
  notCalled('ACP-CLIENTCAP-003', 'elicitation/', 'elicitations', 'elicitation'),
  {
    id: 'ACP-CLIENTCAP-101',
    level: 'required',
    rule: 'A client that did not declare them gets no notices, compactions, plan updates or sub-agents.',
    source: specification('schema'),
    needs: 'turn',
    judge(conversation) {
      const [received] = updatesOf(conversation, ...gatedUpdates);
      const kind = valueAt(received, 'sessionUpdate');
      demand(received === undefined, `the agent sent ${shown(kind)}`, { received });
      const linking = updatesOf(conversation, 'tool_call', 'tool_call_update').find((update) =>
        listAt(update, 'content').some((content) => valueAt(content, 'type') === 'session'),
      );
      demand(linking === undefined, 'a tool call links a session', { received: linking });
    },
  },
];

/** Updates that need a capability of the client. */
const gatedUpdates: readonly string[] = [
  'notice',
  'compaction_update',
  'compaction_summary_chunk',
  'plan_update',
  'plan_removed',
  'subagent_update',
  'session_message',
  'session_message_chunk',
];

function notCalled(id: string, prefix: string, what: string, page: string): AgentRequirement {
  return {
    id,
    level: 'required',
    rule: `A client that did not declare ${what} gets no ${prefix}* requests.`,
    source: specification(page),
    needs: 'turn',
    judge({ agent }) {
      const received = agent.messages.find(
        ({ method }) => typeof method === 'string' && method.startsWith(prefix),
      );
      demand(received === undefined, `the agent called ${shown(received?.['method'])}`, { received });
    },
  };
}
