import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError, toWorkspaceError } from '../error.ts';
import { isBelow } from '../files/confinement/roots.ts';
import { takeLock } from '../log/lock.ts';
import type { CheckoutFolder } from './checkout.ts';
import { createWorktree, type WorktreeBeginning } from './create-worktree.ts';
import { checkoutAround } from './find-worktrees.ts';
import { worktreesOf } from './moved-repository.ts';
import {
  lockFile,
  makeWorktreesFolder,
  readRecord,
  repositoryFolder,
  type WorktreePlace,
  type WorktreeRecord,
} from './record.ts';
import { whileLocked } from './repository-lock.ts';
import { folderGone, isFolder, troubleError } from './trouble.ts';
import { checkName, generateName } from './worktree-name.ts';

/** The worktree for a session. */
export interface WorktreeWish extends WorktreeBeginning {
  /** An existing worktree is reused. @default a new one with a generated name */
  readonly name?: string;
}

/** A worktree that is reserved for a session until it is released. */
export interface OpenWorktree {
  readonly record: WorktreeRecord;
  /** The folder in the worktree that corresponds to the one in the checkout. */
  readonly cwd: string;
  readonly isNew: boolean;
  /** Says what the worktree does not contain, for the user. */
  readonly notes: readonly string[];
  release(): Promise<void>;
}

/**
 * Opens a worktree of the repository around a folder: a new or an existing one. After a kill at any moment, it can be
 * opened again or removed by its name.
 *
 * @throws {WorkspaceError} `not-a-repository`, `invalid-name`, `exists`, `in-use`, `conflict`.
 */
export async function openWorktree(
  cwd: string,
  wish: WorktreeWish,
  { stateFolder }: WorktreePlace,
): Promise<OpenWorktree> {
  if (wish.name !== undefined) checkName(wish.name);
  const checkout = await checkoutAround(cwd, { stateFolder });
  const all = await makeWorktreesFolder(stateFolder);
  const known = wish.name === undefined ? [] : await worktreesOf(checkout, all, () => undefined);
  const existingPath = known.find((each) => each.name === wish.name)?.path;
  const folder = existingPath === undefined ? repositoryFolder(all, checkout) : path.dirname(existingPath);
  const name = wish.name ?? (await freeName(folder));
  const named = { name, path: path.join(folder, name), branch: `parley/${name}` };
  const lock = await takeLock(lockFile(named));
  if (!lock.isTaken) {
    throw new WorkspaceError('in-use', `process ${String(lock.holder.pid)} works in the worktree "${name}"`);
  }
  try {
    const existing = await readRecord(folder, name);
    if (existing?.isReady === true) {
      checkContinues(existing, wish);
      return { ...(await goOn(existing, checkout)), release: lock.release };
    }
    const { record, notes } = await whileLocked(folder, () =>
      createWorktree(named, wish, {
        checkout,
        stateFolder,
        ...(existing !== undefined && { left: existing }),
      }),
    );
    const folderIn = await folderBelow(record.path, checkout.below);
    return { record, cwd: folderIn, isNew: true, notes, release: lock.release };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function freeName(folder: string): Promise<string> {
  for (;;) {
    const name = generateName();
    if ((await readRecord(folder, name)) === undefined) return name;
  }
}

function checkContinues({ name }: WorktreeRecord, { base, withChanges }: WorktreeWish): void {
  if (base === undefined && withChanges !== true) return;
  throw new WorkspaceError(
    'exists',
    `the worktree "${name}" already exists: --base and --with-changes require a new one; remove it, or use another name`,
  );
}

async function goOn(
  record: WorktreeRecord,
  { below }: CheckoutFolder,
): Promise<Omit<OpenWorktree, 'release'>> {
  if (!(await isFolder(record.path))) throw troubleError(record, folderGone(record));
  return { record, cwd: await folderBelow(record.path, below), isNew: false, notes: [] };
}

/** A folder that git does not have, as it is empty or new, is made; a link must not lead out of the worktree. */
async function folderBelow(root: string, below: string): Promise<string> {
  const folder = path.join(root, below);
  try {
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    if (isBelow(await realpath(root), real)) return folder;
  } catch (error) {
    throw toWorkspaceError(error, 'open', folder);
  }
  throw new WorkspaceError('outside', `${JSON.stringify(below)} is a link that leads out of the worktree`, {
    path: folder,
  });
}
