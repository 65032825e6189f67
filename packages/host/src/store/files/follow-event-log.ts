import { followLog } from '@parley/workspace';
import type { EventPart, FollowEventsOptions } from '../session-store.ts';
import { eventsIn } from './chunk-line.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes } from './event-log-file.ts';

/** The events of an event log: those that are there, then each as it is written. There is a part even if there is nothing new. */
export async function* followEventLog(
  folder: string,
  { signal, after = 0 }: FollowEventsOptions,
): AsyncGenerator<EventPart, void, undefined> {
  const log = { format: eventLogFormat, maxLineBytes: eventLogLineBytes, signal };
  for await (const { records, isAtEnd } of followLog(eventLogFile(folder), log)) {
    const events = records.flatMap((record) => eventsIn(record) ?? []).filter(({ seq }) => seq > after);
    if (events.length > 0 || isAtEnd) yield { events, isAtEnd };
  }
}
