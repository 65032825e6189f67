import type { EventLogStart } from './event-log-event.ts';
import { readEventLog } from './event-log-file.ts';
import { openEventLog } from './event-log.ts';

/**
 * Begins the event log of a session that goes on from where another is: with all that happened in that one, when it did.
 *
 * @throws {WorkspaceError} The other event log cannot be read, or the new one not be made.
 */
export async function copyEventLog(
  from: string,
  to: string,
  start: Omit<EventLogStart, 'type'>,
): Promise<void> {
  let time = Date.now();
  let sessionId: string | undefined;
  let failure: Error | undefined;
  const eventLog = await openEventLog(to, {
    start,
    now: () => time,
    onFailure: (error) => {
      failure = error;
    },
  });
  try {
    await readEventLog(from, ({ seq: _seq, time: then, ...entry }) => {
      time = then;
      if (entry.type === 'session') ({ sessionId } = entry);
      // What the AAP server stored is about that session alone.
      if (entry.type !== 'journal-start' && entry.type !== 'aap') eventLog.append(entry);
      return eventLog.ready();
    });
    time = Date.now();
    // Its own session is another one.
    if (sessionId !== undefined) eventLog.append({ type: 'session-end', sessionId, reason: 'closed' });
  } finally {
    await eventLog.close();
  }
  if (failure !== undefined) throw failure;
}
