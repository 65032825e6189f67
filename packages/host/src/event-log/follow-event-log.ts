import { followLog } from '@parley/workspace';
import type { LoggedEvent } from './event-log-event.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes } from './event-log-file.ts';
import { parseLoggedEvent } from './parse-event-log-event.ts';

/** What of an event log is followed, and how long. */
export interface FollowEventLogOptions {
  /** Aborted when enough was seen: the events end then. */
  readonly signal: AbortSignal;
  /** The number of the last event that is known already. @default none is */
  readonly after?: number;
}

/** Events of an event log that were read together. */
export interface EventLogPart {
  readonly events: readonly LoggedEvent[];
  /** There was nothing behind them when they were read. */
  readonly isAtEnd: boolean;
}

/** The events of an event log: those that are there, then each as it is written. There is a part even if there is nothing new. */
export async function* followEventLog(
  folder: string,
  { signal, after = 0 }: FollowEventLogOptions,
): AsyncGenerator<EventLogPart, void, undefined> {
  const log = { format: eventLogFormat, maxLineBytes: eventLogLineBytes, signal };
  for await (const { records, isAtEnd } of followLog(eventLogFile(folder), log)) {
    const events = records.flatMap((record) => {
      const event = parseLoggedEvent(record);
      return event !== undefined && event.seq > after ? [event] : [];
    });
    if (events.length > 0 || isAtEnd) yield { events, isAtEnd };
  }
}
