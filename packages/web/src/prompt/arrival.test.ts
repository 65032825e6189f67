import { emptyState, reduce, type LoggedEntry, type SessionState } from '@parley/host/state';
import { expect, test } from 'vitest';
import { hasArrived, isAmong, type Seen } from './arrival.ts';

const blocks = [{ type: 'text', text: 'go on' }] as const;

function seen(texts: readonly string[], queue: Seen['queue'] = []): Seen {
  const entries = texts.flatMap((text, index): readonly LoggedEntry[] => [
    { type: 'turn-start', sessionId: 's', turnId: String(index), prompt: [{ type: 'text', text }] },
    { type: 'turn-end', sessionId: 's', turnId: String(index), stopReason: 'end_turn' },
  ]);
  const view: SessionState = entries.reduce(
    (before, entry, index) => reduce(before, { seq: index + 1, time: 0, ...entry }),
    emptyState,
  );
  return { turns: view.turns, items: view.items, queue };
}

test('a prompt has arrived when a turn has started, or the queue has grown', () => {
  const waiting = [{ id: '1', blocks }];

  expect(hasArrived(seen(['a']), seen(['a']))).toBe(false);
  expect(hasArrived(seen(['a']), seen(['a', 'b']))).toBe(true);
  expect(hasArrived(seen([]), seen([], waiting))).toBe(true);
  expect(hasArrived(seen([], waiting), seen([], []))).toBe(false);
});

test('an earlier prompt is not mistaken for it', () => {
  expect(isAmong('go on', 1, seen(['go on']))).toBe(false);
  expect(isAmong('go on', 1, seen(['go on', 'something else']))).toBe(false);
  expect(isAmong(' go on ', 1, seen(['go on', 'go on']))).toBe(true);
});

test('a queued prompt has arrived', () => {
  expect(isAmong('go on', 0, seen([], [{ id: '1', blocks }]))).toBe(true);
  expect(isAmong('go', 0, seen([], [{ id: '1', blocks }]))).toBe(false);
});
