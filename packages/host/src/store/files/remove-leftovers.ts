import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { eventLogFile, eventLogLock, ownerIn } from './event-log-file.ts';

/** Minimum age of leftover files: younger ones may belong to a process that is acquiring the lock. */
const leftMs = 60_000;

/** Removes lock files with temporary names that ended or killed processes left in a session's folder. */
export async function removeLeftLocks(folder: string): Promise<void> {
  const prefix = `${basename(eventLogLock(folder))}.`;
  const names = await readdir(folder);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const file = join(folder, name);
    if (await isLeft(file)) await rm(file, { force: true });
  }
}

/** Removes a session's folder without an event log: the disk was full, or its writer was killed. Other folders stay. */
export async function removeUnbegun(folder: string): Promise<void> {
  const eventLog = eventLogFile(folder);
  if ((await sizeOf(eventLog)) > 0 || !(await isLeft(folder))) return;
  if ((await ownerIn(folder)) !== undefined) return;
  await removeLeftLocks(folder);
  for (const file of [eventLog, eventLogLock(folder)]) await rm(file, { force: true });
  // A folder that holds something else stays.
  await rmdir(folder).catch(() => undefined);
}

async function isLeft(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > leftMs;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.size ?? 0;
}
