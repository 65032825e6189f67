import { isJsonObject } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand } from '../check-error.ts';
import { specification } from '../requirement.ts';

const source = specification('transports');

/** The lines on standard output. */
export const transport: readonly AgentRequirement[] = [
  {
    id: 'ACP-TRANSPORT-001',
    level: 'required',
    rule: 'Each line on standard output is one JSON-RPC message.',
    source,
    needs: 'initialize',
    judge({ agent }) {
      for (const { text, value, fault } of agent.lines) {
        demand(fault === undefined, `a line cannot be read, ${fault}`, { received: text });
        const isMessage =
          isJsonObject(value) && value['jsonrpc'] === '2.0' && ('method' in value || 'id' in value);
        demand(isMessage, 'a line is no JSON-RPC 2.0 message', { received: text });
      }
    },
  },
  {
    id: 'ACP-TRANSPORT-002',
    level: 'required',
    rule: 'Standard output is encoded as UTF-8.',
    source,
    needs: 'initialize',
    judge({ agent }) {
      const faulty = agent.lines.find(({ fault }) => fault === 'it is not UTF-8');
      demand(faulty === undefined, 'a line is not UTF-8', { received: faulty?.text });
    },
  },
];
