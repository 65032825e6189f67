import { rm, rmdir } from 'node:fs/promises';
import { openLog, takeLock, WorkspaceError, type LogFile } from '@parley/workspace';
import { HostError } from '../../host-error.ts';
import { FactReader } from '../../state/fact-reader.ts';
import type { EventLog, OpenEventLogOptions } from '../event-log.ts';
import { eventsIn } from './chunk-line.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes, eventLogLock } from './event-log-file.ts';
import { FileEventLog } from './file-event-log.ts';
import type { LiveFeed } from './live-feed.ts';
import { removeLeftLocks } from './remove-leftovers.ts';
import { Troubles } from './troubles.ts';

/** How long events gather to be written together; those of the last moment are lost when this process is killed. */
const gatherMs = 10;

/** What the event log in a folder is opened with. */
interface OpenFileOptions extends OpenEventLogOptions {
  readonly key: string;
  /** Hands events to followers in this process. */
  readonly feed: LiveFeed;
}

/**
 * Opens the event log in a session's folder for appending, or begins it. Its lock file is the lease. Bytes behind the last
 * whole event are cut off.
 */
export async function openEventLog(folder: string, options: OpenFileOptions): Promise<EventLog> {
  try {
    return await openLocked(folder, options);
  } catch (error) {
    // A folder that holds something stays.
    if (isFull(error)) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

async function openLocked(folder: string, options: OpenFileOptions): Promise<EventLog> {
  const attempt = await takeLock(eventLogLock(folder));
  if (!attempt.isTaken) {
    const { pid } = attempt.holder;
    throw new HostError(
      'already-open',
      `open the event log ${JSON.stringify(folder)}: process ${pid} writes it`,
    );
  }
  const { release, isHeld } = attempt;
  const reader = new FactReader();
  const troubles = new Troubles(options);
  try {
    await removeLeftLocks(folder);
    let knownDamage = 0;
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
      onTrouble: (error) => {
        troubles.noteWriting(error);
        // What waited is stored now, and was handed to no follower.
        if (error === undefined) options.feed.reread();
      },
      read: (record) => {
        for (const event of [eventsIn(record) ?? []].flat()) {
          reader.take(event);
          if (event.type === 'interruption') knownDamage = event.damagedLines;
          options.onEvent?.(event);
        }
      },
    });
    const { facts } = reader;
    const isNew = facts.seq === 0;
    const eventLog = new FileEventLog(log, { ...options, last: facts.seq, release, troubles });
    if (isNew) eventLog.append({ type: 'journal-start', key: options.key, ...options.start });
    else eventLog.noteInterruption(facts, knownDamage);
    try {
      await eventLog.stored();
    } catch (error) {
      await eventLog.close();
      if (isNew) await rm(eventLogFile(folder), { force: true });
      throw error;
    }
    troubles.begin();
    options.feed.begin(() => log.flush());
    return eventLog;
  } catch (error) {
    if (reader.facts.seq === 0 && isFull(error)) await rm(eventLogFile(folder), { force: true });
    await release();
    throw error;
  }
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
