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

test('a session is found by the beginning of its id, of its short id, and of what the agent calls it', () => {
  expect(sessionOf('20260131T12', heads)).toBe(first);
  expect(sessionOf(shortId(second.start.key), heads)).toBe(second);
  expect(sessionOf('sess-10', heads)).toBe(second);
  // All of an id is not the beginning of another.
  expect(sessionOf('sess-1', heads)).toBe(first);
});

test('an id that means none or several is refused', () => {
  expect(() => sessionOf('ff', heads)).toThrow('there is no session "ff"');
  expect(() => sessionOf('', heads)).toThrow('there is no session');
  expect(() => sessionOf('1a', heads)).toThrow('the beginning of 2 sessions');
});
