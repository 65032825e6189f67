import { closeSync, constants, lstatSync, openSync } from 'node:fs';

/**
 * Returns which files and folders the mounts of a sandbox must be: rows of device, inode and path that end with NUL, for Linux. Their folders are
 * entered one by one, without following links: an agent in the same folder can replace a folder by a link at any moment, also while an engine looks
 * up what to mount.
 */
export function identitiesOf(paths: readonly string[]): string {
  const folders = new Map<string, number>([['', openFolder('/')]]);
  try {
    return paths.map((each) => `${identityOf(each, folders)} ${each}\0`).join('');
  } finally {
    for (const descriptor of folders.values()) closeSync(descriptor);
  }
}

/** Returns the first path in a result of `identitiesOf` that is another file by now, or that was missing, a link or behind one already. */
export function findReplaced(identities: string): string | undefined {
  if (identities === '') return undefined;
  const rows = identities.split('\0').slice(0, -1);
  const paths = rows.map((row) => row.slice(row.indexOf(' ') + 1));
  const now = identitiesOf(paths).split('\0');
  return paths.find((_, index) => rows[index] !== now[index] || rows[index]?.startsWith(`${noIdentity} `));
}

/** Device and inode. What is not there, a link or behind one, is none that can be inside. */
function identityOf(file: string, folders: Map<string, number>): string {
  try {
    const stats = lstatSync(within(file, folders), { bigint: true });
    // What is planned to be mounted is never a link: an engine would mount what it names.
    return stats.isSymbolicLink() ? noIdentity : `${String(stats.dev)}:${String(stats.ino)}`;
  } catch {
    return noIdentity;
  }
}

const noIdentity = '0:0';

/** A path to a file by the descriptor of its folder. */
function within(file: string, folders: Map<string, number>): string {
  const end = file.lastIndexOf('/');
  const folder = file.slice(0, end);
  let descriptor = folders.get(folder);
  if (descriptor === undefined) {
    descriptor = openFolder(within(folder, folders));
    folders.set(folder, descriptor);
  }
  return `/proc/self/fd/${String(descriptor)}/${file.slice(end + 1)}`;
}

function openFolder(folder: string): number {
  return openSync(folder, openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** `O_PATH` of Linux: folders that cannot be read can be entered too. */
const openPath = 0o10_000_000;
