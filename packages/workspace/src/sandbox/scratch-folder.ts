import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { WorkspaceError, systemCode } from '../error.ts';
import { startTimeOf } from '../process/start-time.ts';
import { processWatchdog } from '../process/watchdog.ts';
import { createWatchedFolder } from '../process/watched-folder.ts';
import {
  type PlaceholderFiles,
  type MountPoint,
  type Placeholders,
  createPlaceholders,
  findMissing,
  mostPlaceholderFiles,
  placeholderToken,
  removePlaceholders,
} from './placeholders.ts';

/** A folder outside with the files of one sandbox. The watchdog removes it, and the placeholders, if Parley is killed. */
export interface ScratchFolder {
  readonly path: string;
  /** A file in it: a command in the sandbox must not be able to read it. */
  readonly canary: string;
  /** Creates the mount points that the workspace lacks. Returns the folders that count the users of files among them. */
  addPlaceholders(mountPoints: readonly MountPoint[]): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** Creates the folder. */
export async function createScratchFolder(): Promise<ScratchFolder> {
  const token = await placeholderToken();
  const folder = await createFolder(token);
  let placeholders: Placeholders = { folders: [], files: [] };
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary, { mode: 0o700 });
  mkdirSync(path.join(folder, 'base'));
  const canary = path.join(folder, 'canary');
  writeFileSync(canary, 'canary');
  return {
    path: folder,
    canary,
    async addPlaceholders(mountPoints) {
      const missing = findMissing(mountPoints, token);
      placeholders = missing.placeholders;
      writeLists(folder, placeholders);
      await createPlaceholders(missing, token);
      return placeholders.files.map(({ counter }) => counter);
    },
    async remove() {
      const trees = ['tmp', 'base', 'stage'].map((name) => removeTree(path.join(folder, name)));
      await Promise.all([removePlaceholders(placeholders), ...trees]);
      // It has the lists of the placeholders.
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      processWatchdog.removeFolder(folder);
    },
  };
}

const prefix = 'parley-sandbox-';

async function createFolder(token: string): Promise<string> {
  const parent = os.tmpdir();
  try {
    const real = realpathSync(parent);
    await removeStale(real);
    // The watchdog reads lines.
    if (real.includes('\n')) throw new Error('its path has a line break');
    return createWatchedFolder(real, `${prefix}${token}-`);
  } catch (error) {
    const reason = systemCode(error) ?? 'failed';
    throw new WorkspaceError(
      'not-started',
      `create the temporary folder of the sandbox in ${JSON.stringify(parent)}: ${reason}; ` +
        'set TMPDIR to a folder that can be written',
      { path: parent, cause: error },
    );
  }
}

/** Removes a folder, also of the agent's, which can have any number of files. Most are empty. */
async function removeTree(folder: string): Promise<void> {
  await rmdir(folder).catch(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
}

/**
 * Removes what sandboxes of killed processes left. Their watchdogs do the same, maybe at this moment; without the lists, which are in the folder, they
 * could not.
 */
async function removeStale(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const [, pid, started] = /^parley-sandbox-(\d+)-(\d+)-\d+-\w+$/u.exec(name) ?? [];
    if (pid === undefined || (await startTimeOf(Number(pid))) === started) continue;
    const folder = path.join(parent, name);
    // Another user's could list anything.
    if (!isOwn(folder)) continue;
    await removePlaceholders(readLists(folder));
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isOwn(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.geteuid?.();
}

/** The placeholders for the watchdog: fields end with NUL. A row of the second list is a counter and its files. */
function writeLists(folder: string, { folders, files }: Placeholders): void {
  const rows = files.flatMap(({ counter, files: names }) => [
    counter,
    ...Array.from({ length: mostPlaceholderFiles }, (_, index) => names[index] ?? ''),
  ]);
  for (const [name, fields] of [
    ['folders', folders],
    ['files', rows],
  ] as const) {
    writeFileSync(path.join(folder, name), fields.map((each) => `${each}\0`).join(''));
  }
}

function readLists(folder: string): Placeholders {
  const fieldsOf = (name: string): readonly string[] => {
    try {
      return readFileSync(path.join(folder, name), 'utf8').split('\0').slice(0, -1);
    } catch {
      // Removed by the watchdog, or killed before it was written.
      return [];
    }
  };
  const rows = fieldsOf('files');
  const files: PlaceholderFiles[] = [];
  for (let at = 0; at < rows.length; at += 1 + mostPlaceholderFiles) {
    const [counter = '', ...names] = rows.slice(at, at + 1 + mostPlaceholderFiles);
    files.push({ counter, files: names.filter((name) => name !== '') });
  }
  return { folders: fieldsOf('folders'), files };
}
