import { expect, test } from 'vitest';
import { createToolCalls } from './tool-calls.ts';

test('an update replaces only the fields it has', () => {
  const calls = createToolCalls();
  calls.note({ toolCallId: 'a', title: 'Edit', kind: 'edit', locations: [{ path: '/a' }] });
  calls.note({ toolCallId: 'a', status: 'in_progress', locations: [{ path: '/b' }] });

  expect(calls.complete({ toolCallId: 'a', title: 'Edit b' })).toEqual({
    toolCallId: 'a',
    title: 'Edit b',
    kind: 'edit',
    status: 'in_progress',
    locations: [{ path: '/b' }],
  });
});

test('open calls are those that have not ended, newest first', () => {
  const calls = createToolCalls();
  for (const toolCallId of ['a', 'b', 'c']) calls.note({ toolCallId });
  calls.note({ toolCallId: 'b', status: 'completed' });

  expect([...calls.open()].map((call) => call.toolCallId)).toEqual(['c', 'a']);
});

test('only the newest calls are remembered', () => {
  const calls = createToolCalls();
  for (let index = 0; index < 2000; index++) calls.note({ toolCallId: String(index), title: 'known' });

  expect(calls.complete({ toolCallId: '0' })).toEqual({ toolCallId: '0' });
  expect(calls.complete({ toolCallId: '1999' })).toEqual({ toolCallId: '1999', title: 'known' });
});
