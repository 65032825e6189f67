import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { type LocalFolders, localFolders } from './local-folders.ts';

/** Length of a file that is read synchronously. */
const mostBytes = 64 * 1024;

/**
 * Whether an absolute path exists, synchronously, if its folder is known to be on a local disk: `real` if it does and has no links,
 * `missing` if only its folder does and has none. Undefined if it takes an asynchronous look to find out.
 */
export function findNow(full: string, folders: LocalFolders = localFolders): 'real' | 'missing' | undefined {
  return folders.look(path.dirname(full), (device) => {
    const stats = lstatSync(full, ifThere);
    if (stats === undefined) return isFolder(path.dirname(full), device) ? 'missing' : undefined;
    return !stats.isSymbolicLink() && stats.dev === device && isReal(full) ? 'real' : undefined;
  });
}

/**
 * Reads a small regular file in the same way: the system reports the location of the open file before a byte of it is read. The caller
 * checks that the path is inside the roots.
 */
export function readNow(full: string, folders: LocalFolders = localFolders): Buffer | 'missing' | undefined {
  const folder = path.dirname(full);
  return folders.look(folder, (device) => {
    // Before it is opened: that alone would wake who waits at the other end of a FIFO.
    const named = lstatSync(full, ifThere);
    if (named === undefined) return isFolder(folder, device) ? 'missing' : undefined;
    if (!isSmall(named, device)) return undefined;
    const descriptor = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!isSmall(stats, device) || readlinkSync(`/proc/self/fd/${descriptor}`) !== full) return undefined;
      // One byte more shows whether it has grown.
      const bytes = Buffer.allocUnsafe(stats.size + 1);
      return readSync(descriptor, bytes) === stats.size ? bytes.subarray(0, stats.size) : undefined;
    } finally {
      closeSync(descriptor);
    }
  });
}

const ifThere = { throwIfNoEntry: false } as const;

function isSmall(stats: Stats, device: number): boolean {
  return stats.isFile() && stats.dev === device && stats.size <= mostBytes;
}

function isFolder(full: string, device: number): boolean {
  const stats = lstatSync(full, ifThere);
  return stats?.isDirectory() === true && stats.dev === device && isReal(full);
}

function isReal(full: string): boolean {
  return realpathSync.native(full) === full;
}
