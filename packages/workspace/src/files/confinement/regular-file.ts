import { type Stats, constants } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../error.ts';
import { type Anchor, openAnchor } from './anchor.ts';
import type { FileRequest } from './request.ts';

/** Opens the directory of an existing file. A root has no place in a directory of ours: it is no file. */
export async function openParent(real: string, request: FileRequest): Promise<Anchor> {
  if (request.roots.directories.includes(real)) {
    throw request.refuse('is-a-directory', 'is a directory');
  }
  return openAnchor(path.dirname(real), request);
}

/** Opens a regular file. FIFOs, devices and sockets are refused, and never waited for. */
export async function openRegular(
  directory: Anchor,
  name: string,
  access: 'read' | 'read and write',
  request: FileRequest,
): Promise<FileHandle> {
  checkRegular(await lstat(directory.at(name)), request);
  const handle = await directory.open(name, access === 'read' ? constants.O_RDONLY : constants.O_RDWR);
  try {
    // What was opened counts, should it have been swapped since.
    checkRegular(await handle.stat(), request);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Refuses what is no regular file. */
export function checkRegular(stats: Stats, request: FileRequest): void {
  if (stats.isDirectory()) throw request.refuse('is-a-directory', 'is a directory');
  if (!stats.isFile()) throw request.refuse('not-a-file', 'not a regular file');
}

/** The status of a name, without following links; undefined if it does not exist. */
export async function lstatIfThere(name: string): Promise<Stats | undefined> {
  try {
    return await lstat(name);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
