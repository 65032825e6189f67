import { followLog } from '@parley/workspace';
import { parseLoggedEvent } from '../../event/parse-logged-event.ts';
import type { EventPart, FollowEventsOptions } from '../session-store.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes } from './event-log-file.ts';

/** The events of an event log: those that are there, then each as it is written. There is a part even if there is nothing new. */
export async function* followEventLog(
  folder: string,
  { signal, after = 0 }: FollowEventsOptions,
): AsyncGenerator<EventPart, void, undefined> {
  const log = { format: eventLogFormat, maxLineBytes: eventLogLineBytes, signal };
  for await (const { records, isAtEnd } of followLog(eventLogFile(folder), log)) {
    const events = records.flatMap((record) => {
      const event = parseLoggedEvent(record);
      return event !== undefined && event.seq > after ? [event] : [];
    });
    if (events.length > 0 || isAtEnd) yield { events, isAtEnd };
  }
}
