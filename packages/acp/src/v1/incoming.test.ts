import { expect, test } from 'vitest';
import { acceptAnswer } from './incoming.ts';
import type { Method } from './method.ts';

const method: Method = {
  name: 'a',
  kind: 'request',
  rule: { resultPaths: ['path'] },
  parseParams: (value) => value,
};
const declared = { agent: {}, client: {}, authMethods: [] };

test('a result that is no promise is accepted at once', () => {
  const result = { path: '/a' };
  expect(acceptAnswer(method, result, declared)).toBe(result);
  expect(acceptAnswer(method, undefined, declared)).toEqual({});
  expect(() => acceptAnswer(method, { path: 'a' }, declared)).toThrow('an absolute path');
});

test('a promise, also one of another library, is accepted once it settles', async () => {
  const result = { path: '/a' };
  expect(await acceptAnswer(method, Promise.resolve(result), declared)).toBe(result);
  // oxlint-disable-next-line unicorn/no-thenable
  const thenable = { then: (resolve: (value: object) => void) => resolve(result) };
  const answer = acceptAnswer(method, thenable, declared);
  expect(answer).toBeInstanceOf(Promise);
  expect(await answer).toBe(result);
  await expect(acceptAnswer(method, Promise.resolve({ path: 'a' }), declared)).rejects.toThrow(
    'an absolute path',
  );
});
