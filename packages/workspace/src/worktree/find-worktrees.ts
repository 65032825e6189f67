import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import { isBelow } from '../files/confinement/roots.ts';
import { findCheckout, type CheckoutFolder } from './checkout.ts';
import { worktreesOf } from './moved-repository.ts';
import {
  readRecord,
  readRecords,
  worktreesFolder,
  type WorktreePlace,
  type WorktreeRecord,
} from './record.ts';

/** Where to search for worktrees. */
export interface FindWorktreesOptions extends WorktreePlace {
  /** Called for a record that cannot be read. */
  readonly onDamaged: (error: WorkspaceError) => void;
}

/**
 * Returns the worktrees of the repository around a folder; outside of a repository, those of all repositories. Oldest
 * first.
 */
export async function listWorktrees(
  cwd: string,
  { stateFolder, onDamaged }: FindWorktreesOptions,
): Promise<readonly WorktreeRecord[]> {
  const folder = await worktreesFolder(stateFolder);
  const checkout = await checkoutAround(cwd, { stateFolder }).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.code === 'not-a-repository') return undefined;
    throw error;
  });
  return checkout === undefined ? readRecords(folder, onDamaged) : worktreesOf(checkout, folder, onDamaged);
}

/**
 * The working tree around a folder. Of one of our worktrees the record says where its repository is, as an agent may have
 * replaced the `.git` file there.
 */
export async function checkoutAround(folder: string, place: WorktreePlace): Promise<CheckoutFolder> {
  const real = await realpath(folder).catch(() => folder);
  const record = await worktreeAround(real, place);
  if (record?.gitDir === undefined) return findCheckout(folder);
  const { path: root, gitDir, repository } = record;
  const found = await findCheckout(folder).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.code !== 'no-git') return undefined;
    throw error;
  });
  // A repository of its own in the worktree.
  if (found !== undefined && found.root !== root && isBelow(root, found.root)) return found;
  return { root, gitDir, repository, below: path.relative(root, real) };
}

/** Returns all worktrees of this machine, of any repository. Oldest first. */
export async function allWorktrees({
  stateFolder,
  onDamaged,
}: FindWorktreesOptions): Promise<readonly WorktreeRecord[]> {
  return readRecords(await worktreesFolder(stateFolder), onDamaged);
}

/** Returns all worktrees with a name. */
export async function worktreesNamed(
  name: string,
  options: FindWorktreesOptions,
): Promise<readonly WorktreeRecord[]> {
  return (await allWorktrees(options)).filter((record) => record.name === name);
}

/** Returns the worktree that contains a folder or file, by its real path; undefined if none does. */
export async function worktreeAround(
  file: string,
  { stateFolder }: WorktreePlace,
): Promise<WorktreeRecord | undefined> {
  const folder = await worktreesFolder(stateFolder);
  if (!isBelow(folder, file)) return undefined;
  const [repository, name] = path.relative(folder, file).split(path.sep);
  if (repository === undefined || name === undefined || name.startsWith('.')) return undefined;
  return readRecord(path.join(folder, repository), name);
}

/** Returns the path in the original checkout for a path in a worktree; other paths are returned unchanged. */
export async function inOwnCheckout(file: string, place: WorktreePlace): Promise<string> {
  let found = file;
  // A worktree may have been begun in another one.
  for (let depth = 0; depth < mostNested; depth += 1) {
    const record = await worktreeAround(found, place);
    if (record === undefined) return found;
    found = path.join(record.checkout, path.relative(record.path, found));
  }
  return found;
}

/** Nesting depth of repositories that are searched. */
const mostNested = 16;
