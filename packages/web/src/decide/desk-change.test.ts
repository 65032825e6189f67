import type { DeskQuestion, DeskSession, DeskSessionState } from '@parley/host/desk';
import { expect, test } from 'vitest';
import { deskChange } from './desk-change.ts';

function ask(requestId: string): DeskQuestion {
  return { kind: 'sign-in', key: 's', requestId, since: 0, agent: 'gemini', methods: [] };
}

function desk(
  questions: readonly string[],
  state: DeskSessionState = 'running',
): Parameters<typeof deskChange>[0] {
  const session: DeskSession = {
    key: 's',
    agent: 'gemini',
    cwd: '/w',
    state,
    createdAt: 0,
    updatedAt: 0,
    questions: questions.length,
    queue: [],
  };
  return { isKnown: true, questions: questions.map(ask), sessions: new Map([['s', session]]) };
}

test('what was not there is asked, and what is there no longer is settled', () => {
  const change = deskChange(desk(['a', 'b']), desk(['b', 'c']));
  expect(change.asked.map(({ requestId }) => requestId)).toEqual(['c']);
  expect(change.settled).toEqual(['a']);
});

test('what waits when the page is opened is no news', () => {
  expect(deskChange({ ...desk([]), isKnown: false }, desk(['a'])).asked).toEqual([]);
});

test('a turn is finished when its session has nothing more to do', () => {
  expect(deskChange(desk([], 'running'), desk([], 'ready')).finished).toHaveLength(1);
  expect(deskChange(desk([], 'running'), desk([], 'failed')).finished).toHaveLength(1);
  expect(deskChange(desk([], 'running'), desk([], 'waiting')).finished).toEqual([]);
  expect(deskChange(desk([], 'ready'), desk([], 'kept')).finished).toEqual([]);
});
