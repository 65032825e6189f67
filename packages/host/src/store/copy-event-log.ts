import { reduceFacts } from '../state/reduce-facts.ts';
import { noFacts } from '../state/session-facts.ts';
import type { OpenEventLogOptions } from './event-log.ts';
import type { SessionStore } from './session-store.ts';

/** The session to copy, and the new session. */
export interface CopyEventLogOptions extends Pick<OpenEventLogOptions, 'start'> {
  readonly from: string;
  readonly to: string;
}

/**
 * Creates the event log of a session that continues from another one, with copies of all events of that one and their
 * times.
 *
 * @throws {WorkspaceError} The existing event log cannot be read, or the new one cannot be created.
 */
export async function copyEventLog(
  store: SessionStore,
  { from, to, start }: CopyEventLogOptions,
): Promise<void> {
  let time = Date.now();
  let facts = noFacts;
  let failure: Error | undefined;
  const eventLog = await store.open(to, {
    start,
    now: () => time,
    onFailure: (error) => {
      failure = error;
    },
  });
  try {
    await store.read(from, (event) => {
      const { seq: _seq, time: then, ...entry } = event;
      time = then;
      facts = reduceFacts(facts, event);
      // What the AAP server stored is about that session alone.
      if (entry.type !== 'journal-start' && entry.type !== 'aap') eventLog.append(entry);
      return eventLog.ready();
    });
    time = Date.now();
    const { sessionId } = facts;
    // Its own session is another one.
    if (sessionId !== undefined) eventLog.append({ type: 'session-end', sessionId, reason: 'closed' });
  } finally {
    await eventLog.close();
  }
  if (failure !== undefined) throw failure;
}
