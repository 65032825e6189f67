import type { SessionStore } from '@parley/host';
import type { EventsNote } from '@parley/host/hub';

/** Which events of a session are sent. */
export interface SessionWatchOptions {
  readonly sessionId: string;
  readonly store: SessionStore;
  /** The number of the last event that is known. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** Takes what happened; the next is read when it has left. */
  readonly send: (note: EventsNote) => Promise<void>;
}

/** Sends the events of a session until the signal is aborted. A client that reads slowly holds up no other. */
export async function watchSession(options: SessionWatchOptions): Promise<void> {
  const { sessionId, store, after, signal, send } = options;
  let isCaughtUp = false;
  for await (const { events, isAtEnd } of store.follow(sessionId, { signal, after })) {
    isCaughtUp ||= isAtEnd;
    // What the AAP server stores for itself, such as sealed secrets, is nothing for clients.
    await send({ sessionId, events: events.filter(({ type }) => type !== 'aap'), isCaughtUp });
  }
}
