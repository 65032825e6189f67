import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../error.ts';
import { runGit, toRecords } from '../git/run-git.ts';
import { repositoryOf, type WorkingTree } from './checkout.ts';
import { leavesOut } from './trees.ts';

/** The file in a checkout that names what a worktree of it gets besides what git has: the syntax is that of `.gitignore`. */
const includeFile = '.worktreeinclude';

/** Copies the files that `.worktreeinclude` names and git does not have, and says whether there are any. What is there stays. */
export async function includeFiles(
  checkout: WorkingTree,
  to: string,
  { without }: { readonly without: string },
): Promise<boolean> {
  const patterns = path.join(checkout.root, includeFile);
  if (!(await isFile(patterns))) return false;
  const { stdout } = await runGit(
    ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${patterns}`],
    repositoryOf(checkout),
  );
  const isLeftOut = leavesOut(checkout.root, without);
  // A folder is a repository of its own.
  const files = toRecords(stdout).filter((file) => !file.endsWith('/') && !isLeftOut(file));
  for (const file of files) await copyInto(checkout.root, to, file);
  return files.length > 0;
}

/** The folders of the copy are real ones: a link in the worktree could lead elsewhere. */
async function copyInto(from: string, to: string, file: string): Promise<void> {
  const parts = file.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    if (!(await isOrBecomesFolder(at(to, parts.slice(0, depth).join('/'))))) return;
  }
  const source = at(from, file);
  const target = at(to, file);
  try {
    const stats = await lstat(source);
    if (stats.isSymbolicLink()) await symlink(await readlink(source, { encoding: 'buffer' }), target);
    else await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (error) {
    // It is there already, or was removed meanwhile.
    if (systemCode(error) !== 'EEXIST' && systemCode(error) !== 'ENOENT') throw error;
  }
}

async function isOrBecomesFolder(folder: Buffer): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    return (await lstat(folder)).isDirectory();
  }
}

function at(root: string, file: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(file, 'latin1')]);
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
