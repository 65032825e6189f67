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

/** Events of a journal that were read together. */
export interface JournalPart {
  readonly events: readonly JournalEvent[];
  /** There was nothing behind them when they were read. */
  readonly isAtEnd: boolean;
}

/** The events of a journal: those that are there, then each as it is written. There is a part even if there is nothing new. */
export async function* followJournal(
  folder: string,
  { signal, after = 0 }: FollowJournalOptions,
): AsyncGenerator<JournalPart, void, undefined> {
  const log = { format: journalFormat, maxLineBytes: journalLineBytes, signal };
  for await (const { records, isAtEnd } of followLog(journalFile(folder), log)) {
    const events = records.flatMap((record) => {
      const event = parseJournalEvent(record);
      return event !== undefined && event.seq > after ? [event] : [];
    });
    if (events.length > 0 || isAtEnd) yield { events, isAtEnd };
  }
}
