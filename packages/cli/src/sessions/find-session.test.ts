import type { SessionHead } from '@parley/host';
import { expect, test } from 'vitest';
import { sessionOf, shortId } from './find-session.ts';

function head(key: string, sessionId?: string): SessionHead {
  return {
    key,
    start: { seq: 1, time: 0, type: 'journal-start', key, agent: 'a', cwd: '/', program: 'p' },
    ...(sessionId !== undefined && { sessionId }),
    updatedAt: 0,
  };
}

const first = head('20260131T120000-1a2b3c4d5e6f', 'sess-1');
const second = head('20260131T130000-1a99999999ff', 'sess-10');
const heads = [first, second];

test("a session is found by a prefix of its id, its short id or the agent's id", () => {
  expect(sessionOf('20260131T12', heads)).toBe(first);
  expect(sessionOf(shortId(second.start.key), heads)).toBe(second);
  expect(sessionOf('sess-10', heads)).toBe(second);
  // All of an id is not the beginning of another.
  expect(sessionOf('sess-1', heads)).toBe(first);
});

test('an unknown or ambiguous id is rejected', () => {
  expect(() => sessionOf('ff', heads)).toThrow('no session "ff"');
  expect(() => sessionOf('', heads)).toThrow('no session');
  expect(() => sessionOf('1a', heads)).toThrow('matches 2 sessions');
});
