import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

const never = new Promise<never>(() => {});

test('without an abort it settles as the promise does', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  expect(await untilAborted(Promise.resolve(2))).toBe(2);
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('an abort ends the wait', async () => {
  const abort = new AbortController();
  const waiting = untilAborted(never, abort.signal);
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  // An unhandled rejection would fail the test.
  await expect(untilAborted(Promise.reject(new Error('late')), abort.signal)).rejects.toThrow(/late|enough/);
});
