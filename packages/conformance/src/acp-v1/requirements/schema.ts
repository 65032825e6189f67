import type { JsonObject } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand } from '../check-error.ts';
import type { SentRequest } from '../checked-agent.ts';
import type { OrdinaryConversation } from '../conversation.ts';
import { faultOf } from '../judge-message.ts';
import { unknownKeys } from '../known-keys.ts';
import { specification } from '../requirement.ts';

const faultsOf: Judge = (message, answered) => {
  const fault = faultOf(message, answered);
  return fault === undefined ? [] : [fault];
};

/** Messages and the schema. */
export const schema: readonly AgentRequirement[] = [
  {
    id: 'ACP-SCHEMA-001',
    level: 'required',
    rule: 'Each message of the agent matches the schema.',
    source: specification('schema'),
    needs: 'initialize',
    judge: (conversation) => demandNone(conversation, faultsOf),
  },
  {
    id: 'ACP-SCHEMA-101',
    level: 'required',
    rule: 'Each message to a client with files, terminals and forms matches the schema.',
    source: specification('schema'),
    needs: 'session',
    client: 'full',
    judge: (conversation) => demandNone(conversation, faultsOf),
  },
  {
    id: 'ACP-SCHEMA-002',
    level: 'recommended',
    rule: 'Messages have no fields of the agent\'s own outside of "_meta".',
    source: specification('extensibility'),
    needs: 'initialize',
    judge: (conversation) => demandNone(conversation, unknownKeys),
  },
];

type Judge = (message: JsonObject, answered: SentRequest | undefined) => readonly string[];

function demandNone({ agent }: OrdinaryConversation, judge: Judge): void {
  const found = agent.messages.flatMap((message) =>
    judge(message, agent.requestOf(message)).map((fault) => ({ fault, message })),
  );
  const [first] = found;
  const faults = new Set(found.map(({ fault }) => fault));
  demand(faults.size === 0, [...faults].slice(0, maxFaults).join('; '), { received: first?.message });
}

/** How many different faults a report lists. */
const maxFaults = 5;
