import type { HubSession } from '@parley/host/hub';
import { expect, test } from 'vitest';
import type { SessionMarks } from '../hub/hub-state.ts';
import { firstSessions, groupSessions } from './group-sessions.ts';

const noMarks: SessionMarks = { pinned: new Set(), archived: new Set() };

function session(key: string, known: Partial<HubSession> = {}): HubSession {
  return {
    key,
    agent: 'parley',
    cwd: '/home/ada/engine',
    state: 'kept',
    createdAt: 1,
    updatedAt: 1,
    questions: 0,
    queue: [],
    ...known,
  };
}

/** The headings with what is under each. */
function shown(
  sessions: readonly HubSession[],
  { filter = { text: '' }, marks = noMarks } = {},
): readonly (readonly [heading: string, keys: readonly string[]])[] {
  return groupSessions(sessions, { filter, marks }).map(
    ({ kind, name, sessions: members }) =>
      [kind === 'folder' ? name : kind, members.map(({ key }) => key)] as const,
  );
}

test('sessions that need input come first, then pinned ones, then folders by their latest session, archived ones last', () => {
  const sessions = [
    session('old'),
    session('notes', { cwd: '/home/ada/notes', updatedAt: 5 }),
    session('away', { updatedAt: 9 }),
    session('pin', { cwd: '/home/ada/notes' }),
    session('new', { updatedAt: 3 }),
    session('asks', { state: 'running', questions: 1 }),
  ];
  const marks = { pinned: new Set(['pin', 'asks']), archived: new Set(['away']) };
  expect(shown(sessions, { marks })).toEqual([
    ['waiting', ['asks']],
    ['pinned', ['pin']],
    ['notes', ['notes']],
    ['engine', ['new', 'old']],
    ['archived', ['away']],
  ]);
});

test('requests that wait for an application need no input from the user', () => {
  expect(shown([session('app', { state: 'waiting', origin: 'aap' })])).toEqual([['engine', ['app']]]);
});

test('folders with the same name are shown with the part of the path that differs', () => {
  const sessions = [session('a', { cwd: '/x/one/app' }), session('b', { cwd: '/x/two/app' })];
  expect(shown(sessions).map(([name]) => name)).toEqual(['one/app', 'two/app']);
});

test('the filter matches words in any order, in title, agent and folder', () => {
  const sessions = [session('a', { title: 'Rename the Store' }), session('b', { title: 'Fix the build' })];
  expect(shown(sessions, { filter: { text: 'store engine rename' } })).toEqual([['engine', ['a']]]);
  expect(shown(sessions, { filter: { text: 'nothing' } })).toEqual([]);
});

test('the limit of shown sessions applies to all groups together', () => {
  const sessions = [session('a', { questions: 1 }), session('b'), session('c')];
  const groups = groupSessions(sessions, { filter: { text: '' }, marks: noMarks });
  const lengths = firstSessions(groups, 2).map((group) => group.sessions.length);
  expect(lengths).toEqual([1, 1]);
  expect(firstSessions(groups, 1)).toHaveLength(1);
  expect(firstSessions(groups, 9)).toEqual(groups);
});

test('delegates follow their parent, under its heading', () => {
  const sessions = [
    session('parent', { updatedAt: 2, questions: 1 }),
    session('other', { updatedAt: 5, questions: 1 }),
    session('second', { parent: 'parent', updatedAt: 4, cwd: '/home/ada/worktree' }),
    session('first', { parent: 'parent', updatedAt: 9, state: 'waiting' }),
    session('orphan', { parent: 'removed' }),
  ];

  expect(shown(sessions)).toEqual([
    ['waiting', ['other', 'parent', 'first', 'second']],
    ['engine', ['orphan']],
  ]);
});
