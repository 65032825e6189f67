import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { refusal, toWorkspaceError } from '../../error.ts';

/** The directories that a session may touch, by their real paths. */
export interface Roots {
  /** The one that relative paths start from. */
  readonly cwd: string;
  /** `cwd` first. */
  readonly directories: readonly string[];
  readonly reach: Reach;
}

/**
 * How names in an open directory are reached. By its `descriptor` (Linux) they are bound to that directory,
 * even if its path changes. Elsewhere by `path`: an opened file is checked once more before a byte of it is
 * read or written, which stops links that were swapped in, but not a program that swaps them in and out again at
 * just the right moments; and making a directory, listing, removing and renaming go unchecked for that moment.
 */
export type Reach = 'descriptor' | 'path';

/** Looks the directories up; each must be an absolute path, and exist. */
export async function openRoots(cwd: string, directories: readonly string[]): Promise<Roots> {
  const first = await openRoot(cwd);
  const all = new Set([first]);
  for (const directory of directories) all.add(await openRoot(directory));
  return { cwd: first, directories: [...all], reach: await systemReach() };
}

/** Whether a real path is one of the roots or below one. */
export function isInside(roots: Roots, real: string): boolean {
  return roots.directories.some((root) => isBelow(root, real));
}

/** Whether a real path is the directory, or below it. */
export function isBelow(directory: string, real: string): boolean {
  if (real === directory) return true;
  return real.startsWith(directory.endsWith(path.sep) ? directory : directory + path.sep);
}

async function openRoot(directory: string): Promise<string> {
  const action = 'open the directory';
  if (!path.isAbsolute(directory)) throw refusal(action, directory, 'not-absolute', 'not an absolute path');
  try {
    const real = await realpath(directory);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw toWorkspaceError(error, action, directory);
  }
  throw refusal(action, directory, 'not-a-directory', 'not a directory');
}

async function systemReach(): Promise<Reach> {
  if (process.platform !== 'linux') return 'path';
  await using directory = await open('/', constants.O_RDONLY);
  try {
    return (await readlink(`/proc/self/fd/${directory.fd}`)) === '/' ? 'descriptor' : 'path';
  } catch {
    // No /proc here.
    return 'path';
  }
}
