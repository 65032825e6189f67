import { expect, test } from 'vitest';
import type { ReceivedTurnEvent } from '../received.ts';
import { collectMessages, findOpenCalls, MessageCollector } from './message-collector.ts';

function call(toolCallId: string): ReceivedTurnEvent {
  return { event: 'tool_call', toolCallId, name: 'read', input: {} };
}

function result(toolCallId: string): ReceivedTurnEvent {
  return { event: 'tool_result', toolCallId, content: 'done' };
}

function use(toolCallId: string): object {
  return { type: 'tool_use', toolCallId, name: 'read', input: {} };
}

test('row 51: blocks stay in the order in which they came', async () => {
  const messages = await collectMessages([
    { event: 'turn_start' },
    { event: 'thinking_delta', delta: 'Let me ' },
    { event: 'thinking_delta', delta: 'see.' },
    { event: 'text_delta', delta: 'Yes' },
    { event: 'text_delta', delta: '.' },
    { event: 'thinking_delta', delta: 'Or no.' },
    { event: 'turn_stop', stopReason: 'end_turn' },
  ]);
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Let me see.' },
        { type: 'text', text: 'Yes.' },
        { type: 'thinking', thinking: 'Or no.' },
      ],
    },
  ]);
});

test('row 91: whole texts are blocks of their own', async () => {
  const messages = await collectMessages([
    { event: 'text', text: 'One.' },
    { event: 'text', text: 'Two.' },
  ]);
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.' },
      ],
    },
  ]);
});

test('row 96, 97, 99: open calls are found at any position, each once', async () => {
  const messages = await collectMessages([
    call('a'),
    call('b'),
    call('a'),
    result('b'),
    { event: 'text_delta', delta: 'And' },
    call('c'),
    { event: 'unknown', raw: { event: 'plan' } },
    { event: 'turn_stop', stopReason: 'tool_use' },
  ]);
  expect(messages).toEqual([
    { role: 'assistant', content: [use('a'), use('b')] },
    { role: 'tool', toolCallId: 'b', content: 'done' },
    { role: 'assistant', content: [{ type: 'text', text: 'And' }, use('c')] },
  ]);
  expect(findOpenCalls(messages).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'c']);
});

test("row 98: calls before the user's last message are no longer open", () => {
  expect(
    findOpenCalls([
      { role: 'assistant', content: [{ type: 'tool_use', toolCallId: 'a', name: 'read', input: {} }] },
      { role: 'user', content: 'Never mind.' },
      { role: 'assistant', content: [{ type: 'tool_use', toolCallId: 'b', name: 'read', input: { x: 1 } }] },
    ]),
  ).toEqual([{ toolCallId: 'b', name: 'read', input: { x: 1 } }]);
});

test('a collected turn has a limit', () => {
  const collector = new MessageCollector({ maxTurnCharacters: 3 });
  collector.add({ event: 'text_delta', delta: 'abc' });
  expect(() => collector.add({ event: 'text_delta', delta: 'd' })).toThrow(/more than 3 characters/);
});
