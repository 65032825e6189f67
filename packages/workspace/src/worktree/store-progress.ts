import { stat } from 'node:fs/promises';
import path from 'node:path';
import { boundedEntry, type RaceEntry } from './race-entry.ts';
import {
  changeRecord,
  recordFiles,
  worktreesFolder,
  type NamedWorktree,
  type WorktreePlace,
} from './record.ts';
import { whileLocked } from './repository-lock.ts';

/** Stores the progress of a race's runner. A worktree that was removed meanwhile stays removed. */
export async function storeRace(record: NamedWorktree, race: RaceEntry): Promise<void> {
  await whileLocked(path.dirname(record.path), () => changeRecord(record, { race: boundedEntry(race) }));
}

/** Stores that the project's setup script has run in a worktree. */
export async function storeSetUp(record: NamedWorktree): Promise<void> {
  await whileLocked(path.dirname(record.path), () => changeRecord(record, { isSetUp: true }));
}

/** Returns a text that differs after each change of a record by any process. */
export async function recordsVersion({ stateFolder }: WorktreePlace): Promise<string> {
  const files = await recordFiles(await worktreesFolder(stateFolder));
  const versions = await Promise.all(
    files.map(async (file) => {
      // It may have been removed meanwhile.
      const stats = await stat(file).catch(() => undefined);
      return stats === undefined ? '' : `${file} ${String(stats.ino)} ${String(stats.mtimeMs)}`;
    }),
  );
  return versions.join('\n');
}
