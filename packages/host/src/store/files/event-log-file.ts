import { join } from 'node:path';
import { lockHolder, readLog, type LogFormat, type LostRecords } from '@parley/workspace';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { eventsIn } from '../records/chunk-line.ts';
import type { SessionOwner } from '../session-head.ts';
import type { ReadEventsOptions } from '../session-store.ts';

/** The format in the first line of an event log. */
export const eventLogFormat: LogFormat = { name: 'parley-session', version: 2, readable: [1] };

/** Length of a line of an event log: the longest line of an agent, plus the fields around it. */
export const eventLogLineBytes: number = 96 * 1024 * 1024;

/** The file of an event log, in the folder of its session. */
export function eventLogFile(folder: string): string {
  return join(folder, 'journal.jsonl');
}

/** The lock that is the lease of a session. */
export function eventLogLock(folder: string): string {
  return join(folder, 'journal.lock');
}

/** The process that holds the lease of the session in a folder. */
export async function ownerIn(folder: string): Promise<SessionOwner | undefined> {
  const holder = await lockHolder(eventLogLock(folder));
  return holder === undefined ? undefined : toOwner(holder.pid);
}

export function toOwner(pid: number): SessionOwner {
  return { name: `process ${String(pid)}`, pid, isThis: pid === process.pid };
}

/** Reads an event log from its beginning to where it ends now; a process may be writing it. */
export function readEventLog(
  folder: string,
  read: (event: LoggedEvent) => void | Promise<void>,
  { after = 0, wants }: ReadEventsOptions = {},
): Promise<LostRecords> {
  return readLog(eventLogFile(folder), {
    format: eventLogFormat,
    maxLineBytes: eventLogLineBytes,
    ...(wants !== undefined && { wants }),
    read: (record) => {
      const found = eventsIn(record);
      if (found === undefined) return undefined;
      if (isOne(found)) return found.seq <= after ? undefined : read(found);
      return readEach(
        found.filter(({ seq }) => seq > after),
        read,
      );
    },
  });
}

function isOne(found: LoggedEvent | readonly LoggedEvent[]): found is LoggedEvent {
  return !Array.isArray(found);
}

/** Returns a promise only if a callback did. */
function readEach(
  events: readonly LoggedEvent[],
  read: (event: LoggedEvent) => void | Promise<void>,
): void | Promise<void> {
  for (const [index, event] of events.entries()) {
    const reading = read(event);
    if (reading !== undefined) return reading.then(() => readEach(events.slice(index + 1), read));
  }
}
