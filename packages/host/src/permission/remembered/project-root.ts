import { access, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The real path of the project that a folder is in: the git repository around it, else the folder itself. */
export async function projectRoot(cwd: string): Promise<string> {
  const start = await realpath(cwd).catch(() => cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
