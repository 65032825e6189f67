import { emptyState, reduce, type LoggedEntry } from '@parley/host/state';
import { expect, test } from 'vitest';
import { dropPlace, heldReason, stepPlace } from './queue-order.ts';

test.each([
  [0, 2, true, 2],
  [0, 2, false, 1],
  [2, 0, false, 0],
  [2, 0, true, 1],
  [1, 1, true, undefined],
  [1, 0, true, undefined],
  [1, 2, false, undefined],
])('the prompt at %d, dropped on %d, goes to its place', (from, over, isBehind, to) => {
  expect(dropPlace(from, over, isBehind)).toBe(to);
});

test('a step does not leave the queue', () => {
  expect(stepPlace(0, -1, 3)).toBeUndefined();
  expect(stepPlace(0, 1, 3)).toBe(1);
  expect(stepPlace(2, 1, 3)).toBeUndefined();
});

test('a queue is paused by how the last turn ended', () => {
  const after = (end: object): unknown => {
    const entries: readonly LoggedEntry[] = [
      { type: 'turn-start', sessionId: 's', turnId: '1', prompt: [] },
      { type: 'turn-end', sessionId: 's', turnId: '1', stopReason: 'end_turn', ...end },
    ];
    return heldReason(
      entries.reduce((view, entry, index) => reduce(view, { seq: index + 1, time: 0, ...entry }), emptyState),
    );
  };

  expect(after({ stopReason: 'cancelled' })).toEqual({ why: 'cancelled' });
  expect(after({})).toEqual({ why: 'interrupted' });
  expect(heldReason(emptyState)).toEqual({ why: 'interrupted' });
});

test('a queue is paused by the error that ended the turn', () => {
  const events: readonly LoggedEntry[] = [
    { type: 'turn-start', sessionId: 's', turnId: '1', prompt: [] },
    { type: 'turn-end', sessionId: 's', turnId: '1', error: { code: -32603, message: 'no luck' } },
  ];
  const view = events.reduce(
    (before, entry, index) => reduce(before, { seq: index + 1, time: 0, ...entry }),
    emptyState,
  );

  expect(heldReason(view)).toEqual({ why: 'failed', message: 'no luck' });
});
