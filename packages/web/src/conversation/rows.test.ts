import { expect, test } from 'vitest';
import { viewOf } from '../../gallery/fake-hub.ts';
import { beginsAnswer, itemOfEvent, turnEndedBehind } from './rows.ts';

const start = (turnId: string) =>
  ({ type: 'turn-start', sessionId: 's', turnId, prompt: [{ type: 'text', text: 'go' }] }) as const;
const end = (turnId: string) =>
  ({ type: 'turn-end', sessionId: 's', turnId, stopReason: 'end_turn' }) as const;
const say = (text: string) =>
  ({
    type: 'update',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  }) as const;

// Items: 0 prompt, 1 answer, 2 said between turns, 3 prompt, 4 prompt, 5 answer.
const view = viewOf([
  start('a'),
  say('one'),
  say(' and more'),
  end('a'),
  say('between'),
  start('b'),
  end('b'),
  start('c'),
  say('two'),
]);

test('a turn ends after its last item', () => {
  const ended = Array.from(
    { length: view.items.length + 1 },
    (_, index) => turnEndedBehind(view, index)?.turnId,
  );
  expect(ended).toEqual([undefined, 'a', undefined, 'b', undefined, undefined, undefined]);
});

test('the agent is named where it starts to respond', () => {
  const thought = {
    type: 'update',
    update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } },
  } as const;
  const call = {
    type: 'update',
    update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'x' },
  } as const;
  const answered = viewOf([start('a'), thought, say('one'), call, say('two')]);
  expect(Array.from({ length: 5 }, (_, index) => beginsAnswer(answered, index))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('an event is part of the last item that began before it', () => {
  const items = Array.from({ length: 10 }, (_, seq) => itemOfEvent(view, seq));
  expect(items).toEqual([undefined, 0, 1, 1, 1, 2, 3, 3, 4, 5]);
});
