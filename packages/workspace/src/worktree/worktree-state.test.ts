import { stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openWorktree } from './open-worktree.ts';
import { repository } from './repository.fixture.ts';
import { worktreeState } from './worktree-state.ts';

test('an edit of the same size in the second of the checkout is seen', async () => {
  await using repo = await repository({ 'same.txt': 'one\n' });
  const { record, cwd } = await openWorktree(repo.root, {}, repo.place);
  const file = path.join(cwd, 'same.txt');
  const { mtime } = await stat(file);
  await writeFile(file, 'two\n');
  await utimes(file, mtime, mtime);
  // As if the index had been written within that second.
  await utimes(path.join(record.gitDir ?? '', 'index'), mtime, mtime);

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed', files: 1 });
});
