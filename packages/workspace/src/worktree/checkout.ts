import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { BytePath } from '../checkpoint/workspace-path.ts';
import { WorkspaceError } from '../error.ts';
import { gitLine } from '../git/run-git.ts';

/** A working tree of git's: the main one of a repository, or a linked one. */
export interface WorkingTree {
  /** Its top folder, a real path. */
  readonly root: string;
  /** Where its own `HEAD` and index are. */
  readonly gitDir: string;
  /** The `.git` folder of the repository. */
  readonly repository: string;
}

/** A folder in a working tree. */
export interface CheckoutFolder extends WorkingTree {
  /** The folder below the root: empty for the root itself. */
  readonly below: string;
}

/**
 * Finds the working tree around a folder.
 *
 * @throws {WorkspaceError} `not-a-repository`, `no-git`.
 */
export async function findCheckout(folder: string): Promise<CheckoutFolder> {
  const root = await realpath(await topOf(folder));
  const gitDir = await gitLine(['rev-parse', '--absolute-git-dir'], { cwd: root });
  const common = await gitLine(['rev-parse', '--git-common-dir'], { cwd: root });
  return {
    root,
    gitDir: await realpath(gitDir),
    repository: await realpath(path.resolve(root, common)),
    below: path.relative(root, await realpath(folder)),
  };
}

/** Whether a folder is in a working tree, as far as git knows. */
export async function isInCheckout(folder: string): Promise<boolean> {
  try {
    await topOf(folder);
    return true;
  } catch (error) {
    // What else is wrong with git or the folder is reported when it is used.
    return !(error instanceof WorkspaceError) || error.code !== 'not-a-repository';
  }
}

/** What the paths of a folder begin with, relative to the top of its working tree: nothing, or a folder and a slash. */
export function prefixOf({ below }: CheckoutFolder): BytePath {
  const folder = Buffer.from(below.split(path.sep).join('/')).toString('latin1');
  return folder === '' ? '' : `${folder}/`;
}

async function topOf(folder: string): Promise<string> {
  try {
    const top = await gitLine(['rev-parse', '--show-toplevel'], { cwd: folder });
    if (top !== '') return top;
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'failed') throw error;
    // What else git complains about, such as a repository of another user, is for its user to read.
    const why = error.message.includes('not a git repository') ? undefined : error.message;
    throw notInWorkingTree(folder, why, error);
  }
  throw notInWorkingTree(folder);
}

function notInWorkingTree(
  folder: string,
  why = 'create a repository with "git init"',
  cause?: unknown,
): WorkspaceError {
  const message = `${folder} is in no git working tree: ${why}`;
  return new WorkspaceError('not-a-repository', message, { path: folder, cause });
}

/**
 * Names the repository of a working tree by our own record, so that git does not read the `.git` file in it: an agent may have
 * written there.
 */
export function repositoryOf({ root, gitDir }: WorkingTree): {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
} {
  return { cwd: root, env: { GIT_DIR: gitDir, GIT_WORK_TREE: root } };
}
