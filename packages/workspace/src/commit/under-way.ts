import { access } from 'node:fs/promises';
import path from 'node:path';

/** Whether a merge, rebase or similar operation is unfinished in a working tree. */
export async function isUnderWay(gitDir: string): Promise<boolean> {
  const names = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
  const found = await Promise.all(
    names.map((name) =>
      access(path.join(gitDir, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
