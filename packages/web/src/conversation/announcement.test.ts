import { expect, test } from 'vitest';
import { viewOf } from '../../gallery/fake-hub.ts';
import { happenings, summarise, type Summary } from './announcement.ts';

const quiet: Summary = { turns: 1, isRunning: false, calls: 3, failed: 1 };

test('unchanged state is not announced', () => {
  expect(happenings(quiet, quiet)).toEqual([]);
});

test('the start and the end of a turn and the calls in between are announced', () => {
  const begun = { turns: 2, isRunning: true, calls: 0, failed: 0 };
  expect(happenings(quiet, begun)).toEqual([{ kind: 'began' }]);
  const more = { ...begun, calls: 2, failed: 1 };
  expect(happenings(begun, more)).toEqual([{ kind: 'calls', done: 2, failed: 1 }]);
  expect(happenings(more, { ...more, calls: 3, isRunning: false })).toEqual([
    { kind: 'calls', done: 1, failed: 0 },
    { kind: 'ended' },
  ]);
});

test('a turn that ended between two updates is announced as a whole', () => {
  expect(happenings(quiet, { turns: 2, isRunning: false, calls: 1, failed: 0 })).toEqual([
    { kind: 'began' },
    { kind: 'calls', done: 1, failed: 0 },
    { kind: 'ended' },
  ]);
});

test('a session is summarized by its last turn', () => {
  const call = (toolCallId: string, status: string) =>
    ({ type: 'update', update: { sessionUpdate: 'tool_call', toolCallId, title: 'x', status } }) as const;
  const start = (turnId: string) => ({ type: 'turn-start', sessionId: 's', turnId, prompt: [] }) as const;
  const view = viewOf([
    start('a'),
    call('1', 'failed'),
    { type: 'turn-end', sessionId: 's', turnId: 'a', stopReason: 'end_turn' },
    start('b'),
    call('2', 'completed'),
    call('3', 'failed'),
    call('4', 'in_progress'),
  ]);
  expect(summarise(view)).toEqual({ turns: 2, isRunning: true, calls: 2, failed: 1 });
});
