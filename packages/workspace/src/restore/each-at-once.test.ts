import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachAtOnce } from './each-at-once.ts';

test('works on each item once, on no more than a few at once', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await eachAtOnce([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
    done.push(item);
  });
  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('begins no further item after a failure, and rejects when those that began have settled', async () => {
  const log: string[] = [];
  const working = eachAtOnce(['fails', 'slow', 'never'], 2, async (item) => {
    log.push(item);
    if (item === 'fails') throw new Error('first');
    await setImmediate();
    log.push('slow is done');
  });
  await expect(working).rejects.toThrow('first');
  expect(log).toEqual(['fails', 'slow', 'slow is done']);
});
