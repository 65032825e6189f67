import { access, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/**
 * The real path of the project that contains a folder: its git repository, else the folder itself. A worktree in the
 * state folder belongs to the repository that it was created from.
 *
 * @param stateFolder The folder with worktrees. @default a worktree is a project of its own
 */
export async function projectRoot(cwd: string, stateFolder?: string): Promise<string> {
  const real = await realpath(cwd).catch(() => cwd);
  const start = stateFolder === undefined ? real : await ownFolder(real, stateFolder);
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** Loads the worktree code only for folders below the state folder. */
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
