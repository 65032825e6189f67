import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { processWatchdog } from './watchdog.ts';

/**
 * Creates a temporary folder with a random name that only this user can enter. The watchdog, which knows of it before it exists,
 * removes it if this process is killed at any moment. The caller removes it, and reports that to `processWatchdog`.
 *
 * @param prefix Characters before the random ones.
 */
export function createWatchedFolder(parent: string, prefix: string): string {
  const folder = path.join(parent, `${prefix}${randomBytes(8).toString('hex')}`);
  processWatchdog.addFolder(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    processWatchdog.removeFolder(folder);
    throw error;
  }
  return folder;
}
