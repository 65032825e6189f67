import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { absolutePath, locateExisting, outside } from './locate.ts';
import { checkRegular, openParent, openRegular } from './regular-file.ts';
import type { FileRequest } from './request.ts';
import { isInside } from './roots.ts';

/** A regular file that was found to lie inside the roots, open for reading. */
export interface OpenedFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Its real path. */
  readonly path: string;
  /** How long it was when it was opened. */
  readonly size: number;
}

/** Opens an existing file of a request. */
export function openToRead(request: FileRequest): Promise<OpenedFile> {
  switch (request.roots.reach) {
    case 'descriptor':
      return openByDescriptor(request);
    case 'path':
      return openByPath(request);
  }
}

/**
 * Opens a file and checks its location, which the system reports for open files even if the path changes, before
 * reading from it. The folder need not be held open.
 */
async function openByDescriptor(request: FileRequest): Promise<OpenedFile> {
  const full = absolutePath(request);
  const [real, named] = await Promise.all([locateExisting(request), statIfThere(full)]);
  // Before it is opened: that alone would wake who waits at the other end of a FIFO.
  if (named !== undefined) checkRegular(named, request);
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const [stats, opened] = await Promise.all([handle.stat(), readlink(`/proc/self/fd/${handle.fd}`)]);
    if (!isInside(request.roots, opened)) throw outside(request);
    checkRegular(stats, request);
    return toOpened(handle, real, stats.size);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openByPath(request: FileRequest): Promise<OpenedFile> {
  const real = await locateExisting(request);
  const name = path.basename(real);
  await using directory = await openParent(real, request);
  const handle = await openRegular(directory, name, 'read', request);
  return toOpened(handle, path.join(directory.path, name), (await handle.stat()).size);
}

function toOpened(handle: FileHandle, real: string, size: number): OpenedFile {
  return { handle, path: real, size, [Symbol.asyncDispose]: () => handle.close() };
}

/** The status of a file; undefined if it does not exist: opening it then reports the error. */
async function statIfThere(full: string): Promise<Stats | undefined> {
  try {
    return await stat(full);
  } catch {
    return undefined;
  }
}
