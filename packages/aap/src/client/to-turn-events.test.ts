import { expect, test } from 'vitest';
import type { ReceivedAgentMessage } from '../received.ts';
import { collectMessages } from './message-collector.ts';
import { toTurnEvents } from './to-turn-events.ts';

test('the events of messages produce these messages', async () => {
  const messages: readonly ReceivedAgentMessage[] = [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Yes.' },
        { type: 'tool_use', toolCallId: '1', name: 'read', input: {}, _meta: { a: 1 } },
      ],
    },
    { role: 'tool', toolCallId: '1', content: 'done', isError: true },
  ];
  expect(await collectMessages(messages.flatMap(toTurnEvents))).toEqual(messages);
});
