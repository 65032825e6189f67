import type { JsonObject } from '@parley/wire';
import type { SentRequest } from '../agent-process.ts';
import { demand } from '../check-error.ts';
import type { CheckKit } from '../check-kit.ts';
import { wholeConversation } from '../conversation.ts';
import { faultOf } from '../judge-message.ts';
import { unknownKeys } from '../known-keys.ts';
import type { AgentRequirement } from '../requirement.ts';

/** That what an agent says is what the schema says. */
export const schema: readonly AgentRequirement[] = [
  {
    id: 'ACP-SCHEMA-001',
    tier: 'mandatory',
    title: 'all that the agent says is what the schema says',
    async run(kit) {
      const faults = await judgeConversation(kit, (message, answered) => {
        const fault = faultOf(message, answered);
        return fault === undefined ? [] : [fault];
      });
      demand(faults.length === 0, faults.join('; '));
    },
  },
  {
    id: 'ACP-SCHEMA-002',
    tier: 'advisory',
    title: 'the agent puts no keys of its own beside those of the protocol',
    async run(kit) {
      const keys = await judgeConversation(kit, unknownKeys);
      demand(keys.length === 0, keys.join('; '));
    },
  },
];

type Judge = (message: JsonObject, answered: SentRequest | undefined) => readonly string[];

async function judgeConversation(kit: CheckKit, judge: Judge): Promise<readonly string[]> {
  const { agent } = await wholeConversation(kit);
  const found = agent.messages.flatMap((message) => {
    const isAnswer = message['method'] === undefined;
    return judge(message, isAnswer ? agent.sent.find(({ id }) => id === message['id']) : undefined);
  });
  return [...new Set(found)];
}
