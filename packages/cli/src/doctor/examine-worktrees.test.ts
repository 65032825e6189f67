import { rm } from 'node:fs/promises';
import { openWorktree } from '@parley/workspace/worktree';
import { expect, test } from 'vitest';
import { testRepository } from '../../test/repository.ts';
import { examineWorktrees } from './examine-worktrees.ts';

test('doctor counts worktrees, and says what to do about one whose repository is gone', async () => {
  await using repo = await testRepository();
  const env = { PARLEY_HOME: repo.home };
  expect(await examineWorktrees(env)).toMatchObject([{ level: 'ok', message: 'none' }]);
  const { release } = await openWorktree(repo.path, { name: 'fix' }, { stateFolder: repo.home });
  await release();
  expect(await examineWorktrees(env)).toMatchObject([{ level: 'ok', message: '1' }]);

  await rm(repo.path, { recursive: true });

  expect(await examineWorktrees(env)).toMatchObject([
    {
      level: 'note',
      message: expect.stringContaining('the repository of the worktree "fix" no longer exists') as string,
      advice: expect.stringContaining('parley worktrees remove fix') as string,
    },
  ]);
});
