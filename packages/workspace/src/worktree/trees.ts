import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { gitLine, fromRecords, runGit, toRecords, type GitOptions } from './run-git.ts';
import { copyIndex, type Scratch } from './scratch.ts';

/** The files of a working tree as a tree of git's. */
export interface FilesTree {
  readonly tree: string;
  /** Repositories in it that are not part of it: their files are in no tree. Each character is a byte. */
  readonly repositories: readonly string[];
}

/** Which files of a working tree are left out. */
export interface FilesTreeOptions {
  /** A folder that is not part of the work: the state folder may lie in a repository. */
  readonly without: string;
}

/** The tree of all files in a working tree as they are now: committed or not, and new ones that git does not ignore. */
export async function filesTree(
  scratch: Scratch,
  index: string,
  { without }: FilesTreeOptions,
): Promise<FilesTree> {
  const git = scratch.git(index);
  await copyIndex(scratch, index);
  await runGit(['-c', 'core.safecrlf=false', 'add', '-u'], git);
  const { stdout } = await runGit(['ls-files', '-z', '--others', '--exclude-standard'], git);
  const isLeftOut = leavesOut(scratch.tree.root, without);
  const others = toRecords(stdout).filter((file) => !isLeftOut(file));
  await addToIndex(
    others.filter((file) => !file.endsWith('/')),
    git,
  );
  return {
    tree: await writeTree(git),
    repositories: others.filter((file) => file.endsWith('/')),
  };
}

/** Whether a path of a working tree is in a folder, where each character of the path is a byte. */
export function leavesOut(root: string, folder: string): (file: string) => boolean {
  const below = Buffer.from(path.relative(root, folder)).toString('latin1');
  const isBelow = below !== '' && !below.startsWith('..') && !path.isAbsolute(below);
  const prefix = `${below.replaceAll(path.sep, '/')}/`;
  return (file) => isBelow && file.startsWith(prefix);
}

/** Takes these paths into an index as they are in the working tree, also those that git ignores, or that are not there. */
export async function addFiles(paths: readonly string[], git: GitOptions): Promise<void> {
  const there: string[] = [];
  const gone: string[] = [];
  for (const file of paths) ((await isFile(git.cwd, file)) ? there : gone).push(file);
  await addToIndex(there, git);
  // A sparse checkout leaves files out that are not deleted.
  const { stdout } = await runGit(['ls-files', '-z', '-t'], git);
  const sparse = new Set(
    toRecords(stdout).flatMap((record) => (record.startsWith('S ') ? [record.slice(2)] : [])),
  );
  const deleted = gone.filter((file) => !sparse.has(file));
  await runGit(['update-index', '-z', '--force-remove', '--stdin'], {
    ...git,
    input: fromRecords(deleted),
  });
}

async function addToIndex(files: readonly string[], git: GitOptions): Promise<void> {
  if (files.length === 0) return;
  await runGit(
    ['-c', 'core.safecrlf=false', 'update-index', '-z', '--add', '--remove', '--replace', '--stdin'],
    { ...git, input: fromRecords(files) },
  );
}

/** Whether there is a file or a link of that path, with no link among its folders. */
async function isFile(root: string, file: string): Promise<boolean> {
  const parts = file.split('/');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const at = Buffer.from(parts.slice(0, depth).join('/'), 'latin1');
    const stats = await lstat(Buffer.concat([Buffer.from(`${root}/`), at])).catch(() => undefined);
    if (stats === undefined) return false;
    if (depth === parts.length) return stats.isFile() || stats.isSymbolicLink();
    if (!stats.isDirectory()) return false;
  }
  return false;
}

/** Stores an index as a tree. */
export function writeTree(git: GitOptions): Promise<string> {
  // A partial clone need not fetch what it does not have.
  return gitLine(['write-tree', '--missing-ok'], git);
}

/** The tree of a commit. */
export function treeOf(commit: string, git: GitOptions): Promise<string> {
  return gitLine(['rev-parse', '--verify', `${commit}^{tree}`], git);
}

/** The paths that differ between two trees. */
export async function changedPaths(
  before: string,
  after: string,
  git: GitOptions,
): Promise<readonly string[]> {
  const { stdout } = await runGit(
    ['diff-tree', '-r', '-z', '--no-renames', '--name-only', before, after],
    git,
  );
  return toRecords(stdout);
}

/** How much differs between two trees. */
export interface ChangeCount {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

/** Counts the files and lines that differ; a binary file has no lines. */
export async function countChanges(before: string, after: string, git: GitOptions): Promise<ChangeCount> {
  const { stdout } = await runGit(['diff-tree', '-r', '-z', '--no-renames', '--numstat', before, after], git);
  let additions = 0;
  let deletions = 0;
  const lines = toRecords(stdout);
  for (const line of lines) {
    const [added = '-', deleted = '-'] = line.split('\t', 2);
    if (added !== '-') additions += Number(added);
    if (deleted !== '-') deletions += Number(deleted);
  }
  return { files: lines.length, additions, deletions };
}

const patchCommand =
  'diff-tree -r -p --binary --full-index --no-renames --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/'.split(
    ' ',
  );

/** A patch between two trees that `git apply` takes, binary files and modes included. */
export async function patchOf(before: string, after: string, git: GitOptions): Promise<Buffer> {
  const { stdout } = await runGit([...patchCommand, before, after], git);
  return stdout;
}
