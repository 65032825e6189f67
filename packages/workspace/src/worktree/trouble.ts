import { stat } from 'node:fs/promises';
import { WorkspaceError } from '../error.ts';
import { isInUse, type WorktreeRecord } from './record.ts';

/** What a worktree lacks, and what its user can do. */
export interface WorktreeTrouble {
  readonly message: string;
  readonly advice: string;
}

/** Whether a part of a worktree no longer exists, or was never created. */
export async function worktreeTrouble(record: WorktreeRecord): Promise<WorktreeTrouble | undefined> {
  if (!(await isFolder(record.repository))) return repositoryGone(record, await isFolder(record.path));
  if (!record.isReady) return (await isInUse(record)) ? undefined : unfinished(record);
  if (!(await isFolder(record.path))) return folderGone(record);
  const hasCheckout = (await isFolder(record.checkout)) && (await isFolder(record.checkoutGitDir));
  return hasCheckout ? undefined : checkoutGone(record);
}

/** The trouble as an error. */
export function troubleError({ path }: WorktreeRecord, { message, advice }: WorktreeTrouble): WorkspaceError {
  return new WorkspaceError('not-found', `${message}; ${advice}`, { path });
}

/** The process that made it was killed. No session has worked there. */
export function unfinished({ name }: WorktreeRecord): WorktreeTrouble {
  return {
    message: `the worktree "${name}" was not created completely`,
    advice: `"parley worktrees remove ${name}" removes what is there, --worktree=${name} makes it again`,
  };
}

/** The repository was deleted or moved, or its disk is away. */
export function repositoryGone(
  { name, path, repository }: WorktreeRecord,
  hasFolder: boolean,
): WorktreeTrouble {
  const removal = `run: parley worktrees remove ${name}`;
  return {
    message: `the repository of the worktree "${name}" no longer exists: ${repository}`,
    advice: hasFolder
      ? `if it was moved, run "parley worktrees list" in its new folder; if it was deleted, copy what you need out of ${path}, delete that folder, and ${removal}`
      : removal,
  };
}

/** Uncommitted changes are lost with it. */
export function folderGone({ name, path }: WorktreeRecord): WorktreeTrouble {
  return {
    message: `the folder of the worktree "${name}" no longer exists: ${path}`,
    advice: `its commits are on its branch; run: parley worktrees remove ${name}`,
  };
}

/** The working tree that it came from was removed, and its repository was not. */
export function checkoutGone({ name, checkout }: WorktreeRecord): WorktreeTrouble {
  return {
    message: `the worktree "${name}" came from ${checkout}, which no longer exists`,
    advice: `"parley worktrees show ${name}" prints its changes, for "git apply" in another checkout`,
  };
}

/** Whether there is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
