import { rm } from 'node:fs/promises';
import { takeLock, WorkspaceError, type LockAttempt, type LockHolder } from '@parley/workspace';
import { eventLogLock, eventLogWriter } from './event-log-file.ts';

/** Removes a session's folder, its event log and all. While somebody writes it nothing is removed: `holder` is who does. */
export async function removeEventLog(folder: string): Promise<{ readonly holder?: LockHolder }> {
  const attempt = await lock(folder);
  if (!attempt.isTaken) return { holder: attempt.holder };
  try {
    await rm(folder, { recursive: true, force: true });
  } finally {
    await attempt.release();
  }
  return {};
}

/** A full disk has no room for a lock, and removing sessions makes room: then it is enough that nobody holds one. */
async function lock(folder: string): Promise<LockAttempt> {
  try {
    return await takeLock(eventLogLock(folder));
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'no-space') throw error;
    const holder = await eventLogWriter(folder);
    return holder === undefined
      ? { isTaken: true, release: () => Promise.resolve() }
      : { isTaken: false, holder };
  }
}
