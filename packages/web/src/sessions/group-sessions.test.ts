import type { HubSession } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { firstSessions, groupSessions } from './group-sessions.ts';

const now = new Date(2026, 10, 22, 9, 30).getTime();
const hour = 3_600_000;

function session(key: string, known: Partial<HubSession> = {}): HubSession {
  return {
    key,
    agent: 'parley',
    cwd: '/home/ada/engine',
    state: 'kept',
    createdAt: now,
    updatedAt: now,
    questions: 0,
    queue: [],
    ...known,
  };
}

/** What is under which heading. */
function shown(sessions: readonly HubSession[], filter = { text: '' }): Record<string, string[]> {
  const groups = groupSessions(sessions, { now, filter });
  return Object.fromEntries(
    groups.map(({ name, sessions: members }) => [name, members.map(({ key }) => key)]),
  );
}

test('what waits for the user comes first, then what runs, then the others by day', () => {
  const sessions = [
    session('old', { updatedAt: now - 40 * 24 * hour }),
    session('night', { updatedAt: now - 10 * hour }),
    session('now'),
    session('running', { state: 'running' }),
    session('asks', { state: 'running', questions: 1 }),
    session('week', { updatedAt: now - 3 * 24 * hour }),
  ];
  expect(Object.keys(shown(sessions))).toEqual([
    'waiting',
    'active',
    'today',
    'yesterday',
    'week',
    'earlier',
  ]);
  expect(shown(sessions)).toMatchObject({ waiting: ['asks'], yesterday: ['night'] });
});

test('what waits for an application runs, and waits for no user', () => {
  expect(shown([session('app', { state: 'waiting', origin: 'aap' })])).toEqual({ active: ['app'] });
});

test('under a heading, the session where something happened last is first', () => {
  expect(shown([session('a', { updatedAt: now - 2 }), session('b', { updatedAt: now - 1 })])).toEqual({
    today: ['b', 'a'],
  });
});

test('a filter takes words in any order, from the title, the agent and the folder', () => {
  const sessions = [session('a', { title: 'Rename the Store' }), session('b', { title: 'Fix the build' })];
  expect(shown(sessions, { text: 'store engine rename' })).toEqual({ today: ['a'] });
  expect(shown(sessions, { text: 'nothing' })).toEqual({});
});

test('a clock that is ahead does not hide a session', () => {
  expect(shown([session('a', { updatedAt: now + 48 * hour })])).toEqual({ today: ['a'] });
});

test('the first sessions are counted over all groups', () => {
  const sessions = [session('a', { questions: 1 }), session('b'), session('c')];
  const groups = groupSessions(sessions, { now, filter: { text: '' } });
  const lengths = firstSessions(groups, 2).map((group) => group.sessions.length);
  expect(lengths).toEqual([1, 1]);
  expect(firstSessions(groups, 1)).toHaveLength(1);
  expect(firstSessions(groups, 9)).toEqual(groups);
});
