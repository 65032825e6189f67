import { expect, test, vi } from 'vitest';
import { filesStore } from '../store/files/files-store.ts';
import { temporaryFolder } from '../store/temporary-folder.fixture.ts';
import { openCover } from './open-cover.ts';
import { recoverChanges } from './recover-changes.ts';

test('sessions of a folder that are opened at once share one recovery, and a later one looks again', async () => {
  const [cwd, stateDir] = [await temporaryFolder(), await temporaryFolder()];
  const store = filesStore(await temporaryFolder());
  await using one = await openCover(cwd, { stateDir });
  await using other = await openCover(cwd, { stateDir });
  const looks = [vi.spyOn(one.turns, 'unfinished'), vi.spyOn(other.turns, 'unfinished')];
  const counts = (): readonly number[] => looks.map((look) => look.mock.calls.length);

  await Promise.all([one, other].map((cover) => recoverChanges({ ...cover, store })));
  expect(counts()).toEqual([1, 0]);
  await recoverChanges({ ...other, store });
  expect(counts()).toEqual([1, 1]);
});

test('a recovery that failed is tried again', async () => {
  const [cwd, stateDir] = [await temporaryFolder(), await temporaryFolder()];
  await using cover = await openCover(cwd, { stateDir });
  const store = filesStore(await temporaryFolder());
  const look = vi.spyOn(cover.turns, 'unfinished').mockRejectedValueOnce(new Error('unreadable'));

  await expect(recoverChanges({ ...cover, store })).rejects.toThrow('unreadable');
  await recoverChanges({ ...cover, store });
  expect(look).toHaveBeenCalledTimes(2);
});
