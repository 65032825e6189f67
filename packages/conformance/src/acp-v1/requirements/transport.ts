import { isJsonObject } from '@parley/wire';
import { demand } from '../check-error.ts';
import { wholeConversation } from '../conversation.ts';
import { shown } from '../json-value.ts';
import type { AgentRequirement } from '../requirement.ts';

/** What the lines on standard output are. */
export const transport: readonly AgentRequirement[] = [
  {
    id: 'ACP-TRANSPORT-001',
    tier: 'mandatory',
    title: 'each line on standard output is one JSON-RPC message',
    async run(kit) {
      const { agent } = await wholeConversation(kit);
      for (const { text, value, fault } of agent.lines) {
        demand(fault === undefined, `a line cannot be read, ${fault}: ${shown(text)}`);
        const isMessage =
          isJsonObject(value) && value['jsonrpc'] === '2.0' && ('method' in value || 'id' in value);
        demand(isMessage, `a line is no JSON-RPC 2.0 message: ${shown(text)}`);
      }
    },
  },
  {
    id: 'ACP-TRANSPORT-002',
    tier: 'mandatory',
    title: 'standard output is UTF-8',
    async run(kit) {
      const { agent } = await wholeConversation(kit, 'Grüße, 你好 😀: ');
      const faulty = agent.lines.find(({ fault }) => fault === 'it is not UTF-8');
      demand(faulty === undefined, `a line is not UTF-8: ${shown(faulty?.text)}`);
    },
  },
];
