import { join } from 'node:path';
import { lockHolder, readLog, type LockHolder, type LogFormat, type LostRecords } from '@parley/workspace';
import type { JournalEvent } from './journal-event.ts';
import { parseJournalEvent } from './parse-journal-event.ts';

/** What the first line of a journal says it is. */
export const journalFormat: LogFormat = { name: 'parley-session', version: 1 };

/** The longest line of a journal: more than the longest line of an agent, as there is an event around it. */
export const journalLineBytes: number = 96 * 1024 * 1024;

/** The file of a journal, in the folder of its session. */
export function journalFile(folder: string): string {
  return join(folder, 'journal.jsonl');
}

/** The lock of whoever writes a journal. */
export function journalLock(folder: string): string {
  return join(folder, 'journal.lock');
}

/** Who writes a journal now, if anybody does. */
export function journalWriter(folder: string): Promise<LockHolder | undefined> {
  return lockHolder(journalLock(folder));
}

/**
 * Reads a journal from its beginning to where it ends now; somebody may be writing it.
 *
 * @param read Takes each event, in order; a promise is waited for, and what it throws ends the reading.
 * @param options `wants`: whether an event is to be read, by its JSON. @default all are
 */
export function readJournal(
  folder: string,
  read: (event: JournalEvent) => void | Promise<void>,
  options: { readonly wants?: (json: string) => boolean } = {},
): Promise<LostRecords> {
  return readLog(journalFile(folder), {
    format: journalFormat,
    maxLineBytes: journalLineBytes,
    ...options,
    read: (record) => {
      const event = parseJournalEvent(record);
      return event === undefined ? undefined : read(event);
    },
  });
}
