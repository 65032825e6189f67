import { rm, rmdir } from 'node:fs/promises';
import { openLog, takeLock, WorkspaceError, type LogFile } from '@parley/workspace';
import { HostError } from '../../host-error.ts';
import type { EventLog } from '../event-log.ts';
import { openStoredEventLog, type OpenStoredEventLogOptions } from '../records/open-stored-event-log.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes, eventLogLock } from './event-log-file.ts';
import { removeLeftLocks } from './remove-leftovers.ts';

/** How long events are batched before they are written, longer after a slow write; a kill loses at most these. */
const gatherMs = 10;

/**
 * Opens the event log in a session's folder for appending, or creates it. Its lock file is the lease. Bytes after the
 * last complete event are removed.
 */
export async function openEventLog(folder: string, options: OpenStoredEventLogOptions): Promise<EventLog> {
  try {
    return await openLocked(folder, options);
  } catch (error) {
    // A folder that holds something stays.
    if (isFull(error)) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

async function openLocked(folder: string, options: OpenStoredEventLogOptions): Promise<EventLog> {
  const attempt = await takeLock(eventLogLock(folder));
  if (!attempt.isTaken) {
    const { pid } = attempt.holder;
    throw new HostError(
      'already-open',
      `open the event log ${JSON.stringify(folder)}: process ${pid} is writing to it`,
    );
  }
  const { release, isHeld } = attempt;
  return openStoredEventLog(
    {
      open: async ({ read, onTrouble }) => {
        await removeLeftLocks(folder);
        let isEmpty = true;
        const log = await openLog(eventLogFile(folder), {
          format: eventLogFormat,
          maxLineBytes: eventLogLineBytes,
          gatherMs,
          through: (file) =>
            onlyWhile(isHeld, file, () => {
              // Followers read what the next owner writes.
              options.feed.end();
              return leaseLost(folder);
            }),
          onTrouble,
          read: (record) => {
            isEmpty = false;
            read(record);
          },
        }).catch(async (error: unknown) => {
          if (isEmpty && isFull(error)) await rm(eventLogFile(folder), { force: true });
          throw error;
        });
        // A log of a version with one line per event continues in that format.
        return { log, sharesRecords: log.version === eventLogFormat.version };
      },
      discard: () => rm(eventLogFile(folder), { force: true }),
      release,
    },
    options,
  );
}

/** The file, as long as the lease is held: another owner may append to it afterwards. */
function onlyWhile(isHeld: () => boolean, file: LogFile, onLost: () => Error): LogFile {
  const check = (): void => {
    if (!isHeld()) throw onLost();
  };
  return {
    write: async (bytes, from) => {
      check();
      return file.write(bytes, from);
    },
    writeNow: (bytes, from) => {
      check();
      return file.writeNow(bytes, from);
    },
    truncate: async (length) => {
      check();
      await file.truncate(length);
    },
    truncateNow: (length) => {
      check();
      file.truncateNow(length);
    },
    datasync: () => file.datasync(),
    close: () => file.close(),
  };
}

function leaseLost(folder: string): WorkspaceError {
  const reason = 'the lease was lost; another process may own the session';
  return new WorkspaceError('denied', `append to the event log ${JSON.stringify(folder)}: ${reason}`, {
    path: folder,
  });
}

function isFull(error: unknown): boolean {
  return error instanceof WorkspaceError && error.code === 'no-space';
}
