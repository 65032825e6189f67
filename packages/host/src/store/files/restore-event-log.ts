import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openLog, syncDirectory } from '@parley/workspace';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { HostError } from '../../host-error.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes } from './event-log-file.ts';

/** Bytes that wait to be written before the source has to wait. */
const mostWaiting = 1024 * 1024;

/** Writes an event log beside the folder of its session, and renames it when all is on the disk. */
export async function restoreEventLog(
  folder: string,
  write: (append: (event: LoggedEvent) => Promise<void> | undefined) => Promise<void>,
): Promise<void> {
  const beside = join(dirname(folder), `.restoring-${basename(folder)}`);
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { recursive: true, mode: 0o700 });
  try {
    const log = await openLog(eventLogFile(beside), {
      format: eventLogFormat,
      maxLineBytes: eventLogLineBytes,
    });
    let time = 0;
    try {
      await write((event) => {
        ({ time } = event);
        log.append(event);
        return log.waitingBytes > mostWaiting ? log.flush() : undefined;
      });
      await log.sync();
    } finally {
      await log.close();
    }
    // Lists show the time of the last change.
    await utimes(eventLogFile(beside), time / 1000, time / 1000);
    await rename(beside, folder).catch((error: unknown) => {
      throw new HostError('already-open', `restore session ${JSON.stringify(basename(folder))}: it exists`, {
        cause: error,
      });
    });
    await syncDirectory(dirname(folder));
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw error;
  }
}
