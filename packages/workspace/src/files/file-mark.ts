import { createHash } from 'node:crypto';
import type { BigIntStats, Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../error.ts';
import { openLocation } from './confinement/anchor.ts';
import { type Location, locate, locateEntry, pathOf } from './confinement/locate.ts';
import { openRegular } from './confinement/regular-file.ts';
import type { FileRequest } from './confinement/request.ts';
import { type OldText, readOldText } from './old-text.ts';

/** The identity of a file when it was checked: a change applies only while it is the same. */
export interface SeenFile {
  /** Its real path. */
  readonly path: string;
  /** Changes when the text of the file changes, or when a file that is not text is written to. */
  readonly mark: string;
}

/** Reads the state of a file before it is written. Links are followed, and the file need not exist. */
export async function seeFile(request: FileRequest): Promise<SeenFile> {
  const location = await locate(request);
  return { path: pathOf(location), mark: await markAt(location, request) };
}

/** Reads the state of a name before it is removed or moved. Links are not followed. */
export async function seeEntry(request: FileRequest): Promise<SeenFile> {
  const { directory, name } = await locateEntry(request);
  return {
    path: path.join(pathOf(directory), name),
    mark: await markAt({ ...directory, missing: [...directory.missing, name] }, request),
  };
}

/** The mark of a text, or of the kind of file if it is not text. */
export function markOf({ oldText, oldTextOmitted }: OldText, stats: Stats | BigIntStats | undefined): string {
  if (oldText !== null) return textMark(oldText);
  return oldTextOmitted === undefined || stats === undefined ? noFile : statsMark(stats);
}

/** Returns the mark of a file with this text. */
export function textMark(text: string): string {
  return `text:${createHash('sha256').update(text).digest('hex')}`;
}

/** @throws {WorkspaceError} `changed`: it is not what was seen. */
export function checkSeen(seen: SeenFile | undefined, now: SeenFile, request: FileRequest): void {
  if (seen === undefined || (seen.path === now.path && seen.mark === now.mark)) return;
  const what = seen.path === now.path ? 'it was changed' : 'its path leads to another place';
  throw request.refuse('changed', `${what} after it was displayed; review it again`);
}

/** The mark of a name that does not exist. */
const noFile = 'none';

async function markAt({ real, missing }: Location, request: FileRequest): Promise<string> {
  if (missing.length > 1) return noFile;
  const name = missing[0] ?? path.basename(real);
  const parent = missing.length === 0 ? path.dirname(real) : real;
  if (request.roots.directories.includes(real) && missing.length === 0) return statsMark(await lstat(real));
  try {
    await using directory = await openLocation({ real: parent, missing: [] }, 'refuse', request);
    const stats = await lstat(directory.at(name));
    if (!stats.isFile()) return statsMark(stats);
    await using file = await openRegular(directory, name, 'read', request);
    return markOf((await readOldText(file)).old, await file.stat());
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return noFile;
    throw error;
  }
}

/** A folder stays the same, whether or not its content changes. */
function statsMark(stats: Stats | BigIntStats): string {
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return stats.isDirectory()
    ? `folder:${[dev, ino].join(':')}`
    : `file:${[dev, ino, size, mtimeMs, ctimeMs].join(':')}`;
}
