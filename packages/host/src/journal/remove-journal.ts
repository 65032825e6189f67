import { rm } from 'node:fs/promises';
import { takeLock, type LockHolder } from '@parley/workspace';
import { journalLock } from './journal-file.ts';

/** Removes a session's folder, its journal and all. While somebody writes it nothing is removed: `holder` is who does. */
export async function removeJournal(folder: string): Promise<{ readonly holder?: LockHolder }> {
  const attempt = await takeLock(journalLock(folder));
  if (!attempt.isTaken) return { holder: attempt.holder };
  try {
    await rm(folder, { recursive: true, force: true });
  } finally {
    await attempt.release();
  }
  return {};
}
