import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemCode } from '../error.ts';
import type { GitOptions } from '../git/run-git.ts';
import { repositoryOf, type WorkingTree } from './checkout.ts';

/** Indexes of our own beside a working tree, whose own index stays as it is. Disposing removes them. */
export interface Scratch extends AsyncDisposable {
  readonly tree: WorkingTree;
  /** A file of that name, for an index or a blob. */
  file(name: string): string;
  /** Where new objects are stored, if not in the repository. */
  readonly objects?: string;
  /** git with the index of that name. */
  git(index: string): GitOptions;
}

/** How a scratch is opened. */
export interface ScratchOptions {
  /** New objects are forgotten with the indexes: for what only looks. @default they are stored in the repository */
  readonly forgets?: boolean;
  /** Another scratch of the same repository, whose objects are seen, and forgotten together. */
  readonly beside?: Scratch;
}

/** Opens a folder for indexes. */
export async function openScratch(
  tree: WorkingTree,
  { forgets = false, beside }: ScratchOptions = {},
): Promise<Scratch> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-index-'));
  const objects = forgets ? path.join(folder, 'objects') : beside?.objects;
  if (forgets && objects !== undefined) await mkdir(objects);
  const { cwd, env } = repositoryOf(tree);
  const store = path.join(tree.repository, 'objects');
  return {
    tree,
    ...(objects !== undefined && { objects }),
    file: (name) => path.join(folder, name),
    git: (index) => ({
      cwd,
      env: {
        ...env,
        GIT_INDEX_FILE: path.join(folder, index),
        ...(objects !== undefined && {
          GIT_OBJECT_DIRECTORY: objects,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${store.replaceAll(/["\\]/gu, String.raw`\$&`)}"`,
        }),
      },
    }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Begins an index as a copy of the working tree's own, so that git need not read unchanged files. */
export async function copyIndex(scratch: Scratch, index: string): Promise<void> {
  const own = path.join(scratch.tree.gitDir, 'index');
  const copy = scratch.file(index);
  try {
    const { atime, mtimeMs } = await stat(own);
    await copyFile(own, copy);
    // git compares a file with the index where it is no older than that: a newer copy would hide what has changed since.
    await utimes(copy, atime, Math.floor(mtimeMs / 1000));
  } catch (error) {
    // A repository in which nothing was added has none.
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
