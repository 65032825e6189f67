import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../error.ts';
import { type Location, outside } from './locate.ts';
import type { FileRequest } from './request.ts';
import { isInside } from './roots.ts';

/**
 * A directory that was found to lie inside the roots, held open: swapping one of its parents for a link
 * afterwards changes nothing. (Where `Reach` is `path`, see there.)
 */
export interface Anchor extends AsyncDisposable {
  /** The directory's real path. */
  readonly path: string;
  /** The path by which the system reaches a name in this directory. */
  at(name: string): string;
  /** Opens a file of this directory, never through a link, and never waiting for a FIFO or a device. */
  open(name: string, flags: number, mode?: number): Promise<FileHandle>;
}

/** Opens an existing directory; refuses it unless it lies inside the roots now. */
export function openAnchor(directory: string, request: FileRequest): Promise<Anchor> {
  switch (request.roots.reach) {
    case 'descriptor':
      return openByDescriptor(directory, request);
    case 'path':
      return openByPath(directory, request);
  }
}

/** Opens the folder of a location; creates missing folders, or throws. */
export async function openLocation(
  location: Location,
  missing: 'create' | 'refuse',
  request: FileRequest,
): Promise<Anchor> {
  let anchor = await openAnchor(location.real, request);
  for (const name of location.missing) {
    await using parent = anchor;
    if (missing === 'refuse') throw request.refuse('not-found', 'no such directory');
    await makeDirectory(parent.at(name));
    anchor = await openAnchor(parent.at(name), request);
  }
  return anchor;
}

// Windows has none of these flags but the first; an undefined flag counts as 0.
const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const fileFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function openByDescriptor(directory: string, request: FileRequest): Promise<Anchor> {
  const handle = await open(directory, directoryFlags);
  const reach = `/proc/self/fd/${handle.fd}`;
  try {
    const real = await readlink(reach);
    if (!isInside(request.roots, real)) throw outside(request);
    return {
      path: real,
      at: (name) => `${reach}/${name}`,
      open: (name, flags, mode) => open(`${reach}/${name}`, flags | fileFlags, mode),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openByPath(directory: string, request: FileRequest): Promise<Anchor> {
  const real = await realpath(directory);
  if (!isInside(request.roots, real)) throw outside(request);
  const at = (name: string): string => path.join(real, name);
  return {
    path: real,
    at,
    open: async (name, flags, mode) => {
      const handle = await open(at(name), flags | fileFlags, mode);
      try {
        if (!(await isStillThere(handle, real, name))) throw outside(request);
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      // Nothing is held open.
    },
  };
}

/** Whether an open file is the one that the name refers to now, in the directory's real place. */
async function isStillThere(handle: FileHandle, directory: string, name: string): Promise<boolean> {
  const opened = await handle.stat({ bigint: true });
  if ((await realpath(directory)) !== directory) return false;
  const named = await lstat(path.join(directory, name), { bigint: true });
  return opened.dev === named.dev && opened.ino === named.ino;
}

async function makeDirectory(name: string): Promise<void> {
  try {
    await mkdir(name);
  } catch (error) {
    // Another program made it meanwhile; whether it is a directory, and inside, shows when it is opened.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
