import { followLog } from '@parley/workspace';
import type { JournalEvent } from './journal-event.ts';
import { journalFile, journalFormat, journalLineBytes } from './journal-file.ts';
import { parseJournalEvent } from './parse-journal-event.ts';

/** What of a journal is followed, and how long. */
export interface FollowJournalOptions {
  /** Aborted when enough was seen: the events end then. */
  readonly signal: AbortSignal;
  /** The number of the last event that is known already. @default none is */
  readonly after?: number;
}

/** The events of a journal: those that are there, then each as it is written. */
export async function* followJournal(
  folder: string,
  { signal, after = 0 }: FollowJournalOptions,
): AsyncGenerator<JournalEvent, void, undefined> {
  const log = { format: journalFormat, maxLineBytes: journalLineBytes, signal };
  for await (const record of followLog(journalFile(folder), log)) {
    const event = parseJournalEvent(record);
    if (event !== undefined && event.seq > after) yield event;
  }
}
