import { lstat, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { openLocation } from './confinement/anchor.ts';
import { locateEntry } from './confinement/locate.ts';
import { openRegular } from './confinement/regular-file.ts';
import type { FileRequest } from './confinement/request.ts';
import { checkSeen, seeEntry } from './file-mark.ts';
import { type OldText, readOldText } from './old-text.ts';
import type { ChangeOptions } from './write-text.ts';

/** The removed file. */
export interface RemoveResult extends OldText {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** Removes a file, a link (not its target), or an empty folder; never a root, or a folder that contains one. */
export async function remove({ seen }: ChangeOptions, request: FileRequest): Promise<RemoveResult> {
  if (seen !== undefined) checkSeen(seen, await seeEntry(request), request);
  const entry = await locateEntry(request);
  await using directory = await openLocation(entry.directory, 'refuse', request);
  const removed = path.join(directory.path, entry.name);
  const at = directory.at(entry.name);
  const stats = await lstat(at);
  if (stats.isDirectory()) {
    await rmdir(at);
    return { path: removed, kind: 'directory', oldText: null };
  }
  if (!stats.isFile()) {
    await unlink(at);
    return { path: removed, kind: stats.isSymbolicLink() ? 'link' : 'other', oldText: null };
  }
  await using file = await openRegular(directory, entry.name, 'read', request);
  const { old } = await readOldText(file);
  await unlink(at);
  return { path: removed, kind: 'file', ...old };
}
