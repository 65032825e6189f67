import { reduceFacts } from '../state/reduce-facts.ts';
import { noFacts } from '../state/session-facts.ts';
import type { OpenEventLogOptions } from './event-log.ts';
import type { SessionStore } from './session-store.ts';

/** Which session is copied, and as what. */
export interface CopyEventLogOptions extends Pick<OpenEventLogOptions, 'start'> {
  readonly from: string;
  readonly to: string;
}

/**
 * Begins the event log of a session that continues from where another one is: with all that happened in that one, when it did.
 *
 * @throws {WorkspaceError} The other event log cannot be read, or the new one not be created.
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
