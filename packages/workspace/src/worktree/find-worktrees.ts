import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import { isBelow } from '../files/confinement/roots.ts';
import { findCheckout, type CheckoutFolder } from './checkout.ts';
import {
  readRecord,
  readRecords,
  worktreesFolder,
  type WorktreePlace,
  type WorktreeRecord,
} from './record.ts';

/** Where worktrees are looked for. */
export interface FindWorktreesOptions extends WorktreePlace {
  /** A record cannot be read. */
  readonly onDamaged: (error: WorkspaceError) => void;
}

/** The worktrees of the repository around a folder; where there is none, those of all repositories. The oldest comes first. */
export async function listWorktrees(
  cwd: string,
  { stateFolder, onDamaged }: FindWorktreesOptions,
): Promise<readonly WorktreeRecord[]> {
  const folder = await worktreesFolder(stateFolder);
  try {
    return await readRecords(folder, onDamaged, await checkoutAround(cwd, { stateFolder }));
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'not-a-repository') throw error;
    return readRecords(folder, onDamaged);
  }
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

/** All worktrees of that name on this machine, of any repository. */
export async function worktreesNamed(
  name: string,
  { stateFolder, onDamaged }: FindWorktreesOptions,
): Promise<readonly WorktreeRecord[]> {
  const records = await readRecords(await worktreesFolder(stateFolder), onDamaged);
  return records.filter((record) => record.name === name);
}

/** The worktree that a folder or file is in, by its real path; undefined where it is in none. */
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

/** What a path in a worktree is in the checkout that it came from; a path in no worktree is itself. */
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

const mostNested = 16;
