import type { HubQuestion, HubSession, HubSessionState } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { hubChange } from './hub-change.ts';

function ask(requestId: string): HubQuestion {
  return { kind: 'sign-in', key: 's', requestId, since: 0, agent: 'gemini', methods: [] };
}

function hub(
  questions: readonly string[],
  state: HubSessionState = 'running',
): Parameters<typeof hubChange>[0] {
  const session: HubSession = {
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

test('new questions are announced, and missing ones are settled', () => {
  const change = hubChange(hub(['a', 'b']), hub(['b', 'c']));
  expect(change.asked.map(({ requestId }) => requestId)).toEqual(['c']);
  expect(change.settled).toEqual(['a']);
});

test('requests that wait when the page is opened are not announced', () => {
  expect(hubChange({ ...hub([]), isKnown: false }, hub(['a'])).asked).toEqual([]);
});

test('a turn counts as finished when its session is idle', () => {
  expect(hubChange(hub([], 'running'), hub([], 'ready')).finished).toHaveLength(1);
  expect(hubChange(hub([], 'running'), hub([], 'failed')).finished).toHaveLength(1);
  expect(hubChange(hub([], 'running'), hub([], 'waiting')).finished).toEqual([]);
  expect(hubChange(hub([], 'ready'), hub([], 'kept')).finished).toEqual([]);
});
