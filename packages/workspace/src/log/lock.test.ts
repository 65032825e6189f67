import { readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { type LockAttempt, lockHolder, takeLock } from './lock.ts';

function releaseOf(attempt: LockAttempt): () => Promise<void> {
  if (!attempt.isTaken) throw new Error(`process ${String(attempt.holder.pid)} has it`);
  return attempt.release;
}

test('a lock has one holder at a time, and its file is removed on release', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('deep', 'a.lock');
  const release = releaseOf(await takeLock(file));
  expect(await takeLock(file)).toMatchObject({ isTaken: false, holder: { pid: process.pid } });
  expect(await lockHolder(file)).toMatchObject({ pid: process.pid });
  await release();
  expect(await lockHolder(file)).toBeUndefined();
  expect(await readdir(directory.at('deep'))).toEqual([]);
  expect(await takeLock(file)).toMatchObject({ isTaken: true });
});

test('a lock is held until its file is removed or replaced, however often that is asked', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('a.lock');
  const attempt = await takeLock(file);
  if (!attempt.isTaken) throw new Error('the lock was not free');
  const { isHeld } = attempt;
  expect([isHeld(), isHeld()]).toEqual([true, true]);
  const mine = await readFile(file, 'utf8');
  await utimes(file, 1, 1);
  expect([isHeld(), isHeld()]).toEqual([true, true]);
  await writeFile(directory.at('other'), mine.replace('"key"', '"kez"'));
  await rename(directory.at('other'), file);
  expect([isHeld(), isHeld()]).toEqual([false, false]);
  await rm(file);
  expect(isHeld()).toBe(false);
});

test.each([
  ['whose process is gone', JSON.stringify({ pid: 2 ** 22 + 1, started: '1' })],
  ['without a holder', '{"pid":'],
])('a lock %s counts for nothing', async (_name, text) => {
  await using directory = await temporaryDirectory();
  const file = directory.at('a.lock');
  await writeFile(file, text);
  expect(await lockHolder(file)).toBeUndefined();
  expect(await takeLock(file)).toMatchObject({ isTaken: true });
});

// Windows does not report when a process began.
test.skipIf(process.platform === 'win32')(
  'a lock of a process that had our id before counts for nothing',
  async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('a.lock');
    await writeFile(file, JSON.stringify({ pid: process.pid, started: 'long ago' }));
    expect(await lockHolder(file)).toBeUndefined();
    expect(await takeLock(file)).toMatchObject({ isTaken: true });
  },
);
