import { access } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import type { WorkingTree } from '../worktree/checkout.ts';

/** Whether a merge, rebase or similar operation is unfinished in a working tree. */
export async function isUnderWay(gitDir: string): Promise<boolean> {
  const names = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
  const found = await Promise.all(names.map((name) => exists(path.join(gitDir, name))));
  return found.includes(true);
}

/** Checks that no other git command has the user's index: it could not follow a commit. @throws {WorkspaceError} `in-use` */
export async function checkIndexFree({ root, gitDir }: WorkingTree): Promise<void> {
  if (!(await exists(path.join(gitDir, 'index.lock')))) return;
  const message = `commit in ${JSON.stringify(root)}: another git command is running there (index.lock exists); try again when it has ended`;
  throw new WorkspaceError('in-use', message, { path: root });
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
