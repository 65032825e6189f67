import { join } from 'node:path';
import { lockHolder, readLog, type LockHolder, type LogFormat, type LostRecords } from '@parley/workspace';
import type { LoggedEvent } from './event-log-event.ts';
import { parseLoggedEvent } from './parse-event-log-event.ts';

/** What the first line of an event log says it is. */
export const eventLogFormat: LogFormat = { name: 'parley-session', version: 1 };

/** The longest line of an event log: more than the longest line of an agent, as there is an event around it. */
export const eventLogLineBytes: number = 96 * 1024 * 1024;

/** The file of an event log, in the folder of its session. */
export function eventLogFile(folder: string): string {
  return join(folder, 'journal.jsonl');
}

/** The lock of whoever writes an event log. */
export function eventLogLock(folder: string): string {
  return join(folder, 'journal.lock');
}

/** Who writes an event log now, if anybody does. */
export function eventLogWriter(folder: string): Promise<LockHolder | undefined> {
  return lockHolder(eventLogLock(folder));
}

/**
 * Reads an event log from its beginning to where it ends now; somebody may be writing it.
 *
 * @param read Takes each event, in order; a promise is waited for, and what it throws ends the reading.
 * @param options `wants`: whether an event is to be read, by its JSON. @default all are
 */
export function readEventLog(
  folder: string,
  read: (event: LoggedEvent) => void | Promise<void>,
  options: { readonly wants?: (json: string) => boolean } = {},
): Promise<LostRecords> {
  return readLog(eventLogFile(folder), {
    format: eventLogFormat,
    maxLineBytes: eventLogLineBytes,
    ...options,
    read: (record) => {
      const event = parseLoggedEvent(record);
      return event === undefined ? undefined : read(event);
    },
  });
}
