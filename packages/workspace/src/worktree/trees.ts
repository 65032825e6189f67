import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { toWorkspacePath, type WorkspacePath } from '../checkpoint/workspace-path.ts';
import { gitLine, fromRecords, runGit, toRecords, type GitOptions } from '../git/run-git.ts';
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
  await addTracked(git);
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

/**
 * Takes the files that git tracks into an index as they are now. Submodules are left out of `add`, which would run `git status` in them: their settings are
 * files that an agent can write, and name programs.
 */
async function addTracked(git: GitOptions): Promise<void> {
  const { stdout } = await runGit(['ls-files', '-s', '-z'], git);
  const submodules = toRecords(stdout).flatMap((record) => {
    const [, file] = /^160000 [^\t]*\t(.*)$/su.exec(record) ?? [];
    return file === undefined ? [] : [file];
  });
  const mark = async (flag: string): Promise<void> => {
    if (submodules.length === 0) return;
    await runGit(['update-index', '-z', flag, '--stdin'], { ...git, input: fromRecords(submodules) });
  };
  await mark('--skip-worktree');
  await runGit(['-c', 'core.safecrlf=false', 'add', '-u'], git);
  await mark('--no-skip-worktree');
  const isThere = await Promise.all(submodules.map((file) => kindOf(git.cwd, file)));
  await addToIndex(
    submodules.filter((_, index) => isThere[index] === 'folder'),
    git,
  );
  await addFiles(
    submodules.filter((_, index) => isThere[index] !== 'folder'),
    git,
  );
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
  if (paths.length === 0) return;
  const there: string[] = [];
  const gone: string[] = [];
  for (const file of paths) ((await kindOf(git.cwd, file)) === 'file' ? there : gone).push(file);
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

/** What is at that path, if no link is among its folders. A link is a file. */
async function kindOf(root: string, file: string): Promise<'file' | 'folder' | undefined> {
  const parts = file.split('/');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const at = Buffer.from(parts.slice(0, depth).join('/'), 'latin1');
    const stats = await lstat(Buffer.concat([Buffer.from(`${root}/`), at])).catch(() => undefined);
    if (stats === undefined) return undefined;
    if (depth < parts.length && !stats.isDirectory()) return undefined;
    if (depth < parts.length) continue;
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() || stats.isSymbolicLink() ? 'file' : undefined;
  }
  return undefined;
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

/** A file that differs between two trees. */
export interface CountedFile {
  readonly path: WorkspacePath;
  /** Both absent for a file that is not text. */
  readonly additions?: number;
  readonly deletions?: number;
}

/** The files that differ, each with its lines. */
export async function countedFiles(
  before: string,
  after: string,
  git: GitOptions,
): Promise<readonly CountedFile[]> {
  const { stdout } = await runGit(['diff-tree', '-r', '-z', '--no-renames', '--numstat', before, after], git);
  return toRecords(stdout).map((line) => {
    const [added = '-', deleted = '-'] = line.split('\t', 2);
    const file = { path: toWorkspacePath(line.slice(added.length + deleted.length + 2)) };
    if (added === '-') return file;
    return { ...file, additions: Number(added), deletions: Number(deleted) };
  });
}

/** Counts the files and lines that differ; a binary file has no lines. */
export async function countChanges(before: string, after: string, git: GitOptions): Promise<ChangeCount> {
  return sumOf(await countedFiles(before, after, git));
}

/** How much all of them differ. */
export function sumOf(files: readonly CountedFile[]): ChangeCount {
  return {
    files: files.length,
    additions: files.reduce((sum, { additions = 0 }) => sum + additions, 0),
    deletions: files.reduce((sum, { deletions = 0 }) => sum + deletions, 0),
  };
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
