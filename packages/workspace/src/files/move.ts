import { lstat, rename } from 'node:fs/promises';
import path from 'node:path';
import { claimName } from './claim.ts';
import { openLocation } from './confinement/anchor.ts';
import { locateEntry, pathOf } from './confinement/locate.ts';
import type { FileRequest } from './confinement/request.ts';
import { isBelow } from './confinement/roots.ts';
import { checkSeen, seeEntry } from './file-mark.ts';
import type { ChangeOptions } from './write-text.ts';

/** A moved file, link or directory. */
export interface MoveResult {
  readonly from: string;
  readonly to: string;
}

/** Renames within the roots, creating folders as needed. An existing file is never replaced. */
export async function move(
  source: FileRequest,
  target: FileRequest,
  { seen }: ChangeOptions,
): Promise<MoveResult> {
  if (seen !== undefined) checkSeen(seen, await seeEntry(source), source);
  const from = await locateEntry(source);
  const to = await locateEntry(target);
  if (isBelow(path.join(pathOf(from.directory), from.name), pathOf(to.directory))) {
    throw target.refuse('invalid-path', 'a directory cannot be moved into itself');
  }
  await using fromDirectory = await openLocation(from.directory, 'refuse', source);
  const stats = await lstat(fromDirectory.at(from.name));
  await using toDirectory = await openLocation(to.directory, 'create', target);
  const giveBack = await claimName(toDirectory, to.name, stats, target);
  try {
    await rename(fromDirectory.at(from.name), toDirectory.at(to.name));
  } catch (error) {
    await giveBack();
    throw error;
  }
  return { from: path.join(fromDirectory.path, from.name), to: path.join(toDirectory.path, to.name) };
}
