import { expect, test } from 'vitest';
import { describeWait } from './turn-wait.ts';

test('what a turn waits for is described in one line', () => {
  expect(describeWait({ silentMs: 12_345, toolCalls: [], questions: 0 })).toBe(
    'the agent was silent for 12.3 s; no tool call is open',
  );
  expect(
    describeWait({
      silentMs: 60_000,
      toolCalls: [{ toolCallId: 'a', title: 'npm test', kind: 'execute' }, { toolCallId: 'b' }],
      questions: 1,
      process: 'busy',
    }),
  ).toBe(
    'the agent was silent for 60.0 s; open tool calls: "npm test" (execute), "b"; 1 unanswered question; its processes are busy',
  );
});

test('of many tool calls the newest are named', () => {
  const toolCalls = ['a', 'b', 'c', 'd', 'e'].map((toolCallId) => ({ toolCallId }));
  expect(describeWait({ silentMs: 0, toolCalls, questions: 2 })).toContain(
    'open tool calls: "a", "b", "c", and 2 more; 2 unanswered questions',
  );
});
