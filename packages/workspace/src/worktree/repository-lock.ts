import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import { awaitLock } from '../log/lock.ts';

/** How long another process may take to create, merge or remove a worktree of the same repository. */
const lockMs = 120_000;

/** Does something with a repository that no other process of ours does at the same time. */
export async function whileLocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await awaitLock(path.join(folder, '.lock'), lockMs);
  if (!lock.isTaken) {
    const seconds = String(lockMs / 1000);
    throw new WorkspaceError(
      'in-use',
      `process ${String(lock.holder.pid)} works with worktrees of this repository, and did not end within ${seconds} s`,
    );
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
