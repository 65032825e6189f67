import { expect, test } from 'vitest';
import type { LoggedEvent } from '../event/logged-event.ts';
import { noChanges, type ChangesState } from './changes-state.ts';
import { isUndone, reduceChanges } from './changes.ts';

const file = { status: 'modified', additions: 1, deletions: 1, binary: false } as const;

const begun = { type: 'turn-start', sessionId: 's', turnId: 't1', prompt: [] } as const;

const changed = {
  type: 'changes',
  sessionId: 's',
  turn: 1,
  turnId: 't1',
  before: 'b',
  after: 'a',
  files: [
    { path: 'its', ...file, reported: true },
    { path: 'mine', ...file, reported: false },
  ],
  omitted: [],
  startedAt: 1,
} as const;

const written = { before: 'a', after: 'b', files: [{ path: 'its', action: 'restored' }] } as const;

const undone = { type: 'changes-undone', id: 'u1', turn: 1, paths: ['its'], ...written } as const;

type Entry = LoggedEvent extends infer Event
  ? Event extends LoggedEvent
    ? Omit<Event, 'seq' | 'time'>
    : never
  : never;

function after(...entries: readonly Entry[]): ChangesState {
  return entries.reduce<ChangesState>(
    (state, entry, index) => reduceChanges(state, { ...entry, seq: index + 1, time: index + 1 }),
    noChanges,
  );
}

test('a turn is undone when all reported files are, and they are announced to the agent', () => {
  const state = after(begun, changed, undone);

  expect(state.turns.map(isUndone)).toEqual([true]);
  expect(state.turns[0]?.files.map((each) => each.undone)).toEqual([true, undefined]);
  expect(state.unannounced).toEqual(['its']);
  expect(state.undos).toMatchObject([{ id: 'u1', turn: 1, written: ['its'] }]);
});

test('redo reverts the undo', () => {
  const state = after(begun, changed, undone, { type: 'changes-redone', id: 'r1', undo: 'u1', ...written });

  expect(state.turns.map(isUndone)).toEqual([false]);
  expect(state.undos).toEqual([]);
});

test('an event that is stored twice counts once', () => {
  const once = after(begun, changed, undone);

  expect(after(begun, changed, changed, undone, undone)).toMatchObject({
    turns: once.turns.map(({ seq: _seq, endedAt: _endedAt, ...turn }) => turn),
    unannounced: once.unannounced,
  });
});

test('only the next prompt announces what was undone', () => {
  expect(after(begun, changed, undone, { ...begun, turnId: 't2' }).unannounced).toEqual([]);
});

test('a turn with only unreported files is undone when all of them are', () => {
  const own = { ...changed, files: [{ path: 'mine', ...file, reported: false }] };
  const all = { type: 'changes-undone', id: 'u1', turn: 1, ...written } as const;

  expect(after(begun, own).turns.map(isUndone)).toEqual([false]);
  expect(after(begun, own, all).turns.map(isUndone)).toEqual([true]);
});
