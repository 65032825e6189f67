import { expect, test } from 'vitest';
import { judgeSession } from './session-access.ts';

const token = { id: 'token:a', name: 'ann' };

test.each([
  ['admin', 'token:a', 'look', 'allowed'],
  ['admin', 'token:b', 'change', 'allowed'],
  ['admin', undefined, 'change', 'allowed'],
  ['observe', 'token:b', 'look', 'allowed'],
  ['observe', undefined, 'look', 'allowed'],
  ['observe', 'token:a', 'change', 'read-only'],
  ['use', 'token:a', 'look', 'allowed'],
  ['use', 'token:a', 'change', 'allowed'],
  ['use', 'token:b', 'look', 'unknown'],
  ['use', 'token:b', 'change', 'unknown'],
  ['use', undefined, 'look', 'unknown'],
  ['use', undefined, 'change', 'unknown'],
  ['use', 'ann', 'look', 'unknown'],
] as const)(
  'a token of scope %s and a session owned by %s: to %s it is %s',
  (scope, owner, use, expected) => {
    expect(judgeSession({ ...token, scope }, owner, use)).toBe(expected);
  },
);
