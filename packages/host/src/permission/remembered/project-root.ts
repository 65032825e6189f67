import { access, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/**
 * The real path of the project that a folder is in: the git repository around it, else the folder itself. A worktree of the state
 * folder is part of the repository that it came from.
 *
 * @param stateFolder Where worktrees are. @default a worktree is a project of its own
 */
export async function projectRoot(cwd: string, stateFolder?: string): Promise<string> {
  const real = await realpath(cwd).catch(() => cwd);
  const start = stateFolder === undefined ? real : await ownFolder(real, stateFolder);
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** Most folders are in no worktree, and need not load what knows them. */
async function ownFolder(real: string, stateFolder: string): Promise<string> {
  if (!real.includes(`${sep}worktrees${sep}`)) return real;
  const { inOwnCheckout } = await import('@parley/workspace/worktree');
  return inOwnCheckout(real, { stateFolder });
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
