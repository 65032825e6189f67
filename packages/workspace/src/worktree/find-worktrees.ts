import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import { isBelow } from '../files/confinement/roots.ts';
import { findCheckout } from './checkout.ts';
import type { WorktreePlace } from './open-worktree.ts';
import { readRecord, readRecords, worktreesFolder, type WorktreeRecord } from './record.ts';

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
    return await readRecords(folder, onDamaged, await findCheckout(cwd));
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'not-a-repository') throw error;
    return readRecords(folder, onDamaged);
  }
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
