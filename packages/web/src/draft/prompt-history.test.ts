import { emptyState, reduce, type LoggedEntry } from '@parley/host/state';
import { expect, test } from 'vitest';
import { newer, older, sentPrompts } from './prompt-history.ts';

function turn(turnId: string, text: string): readonly LoggedEntry[] {
  return [
    { type: 'turn-start', sessionId: 's', turnId, prompt: [{ type: 'text', text }] },
    { type: 'turn-end', sessionId: 's', turnId, stopReason: 'end_turn' },
  ];
}

test('the prompts of a session are remembered, the newest first and each once', () => {
  const entries = [...turn('1', 'one'), ...turn('2', 'two'), ...turn('3', 'one'), ...turn('4', ' ')];
  const view = entries.reduce(
    (before, entry, index) => reduce(before, { seq: index + 1, time: index, ...entry }),
    emptyState,
  );

  expect(sentPrompts(view)).toEqual(['one', 'two']);
});

test('going back and forth ends at the current draft', () => {
  const entries = (): readonly string[] => ['new', 'old'];

  const first = older(undefined, 'draft', entries);
  expect(first).toMatchObject({ index: 0 });
  const second = older(first, 'ignored', entries);
  expect(second).toMatchObject({ index: 1, draft: 'draft' });
  expect(older(second, '', entries)).toBeUndefined();

  const back = second === undefined ? undefined : newer(second);
  expect(back).toMatchObject({ text: 'new', place: { index: 0 } });
  expect(back?.place === undefined ? undefined : newer(back.place)).toEqual({ text: 'draft' });
});

test('without an earlier prompt there is nothing to recall', () => {
  expect(older(undefined, 'draft', () => [])).toBeUndefined();
});
