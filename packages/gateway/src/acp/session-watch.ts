import { eventBytes, type SessionStore } from '@parley/host';
import type { EventsNote } from '@parley/host/hub';

/** Which events of a session are sent. */
export interface SessionWatchOptions {
  readonly sessionId: string;
  readonly store: SessionStore;
  /** The number of the last event that is known. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** Sends events. The next ones are read when the promise settles. */
  readonly send: (note: EventsNote) => Promise<void>;
  /** Limit of unread data, and what happens at the limit. */
  readonly unread: UnreadLimit;
}

/** Limit of data that a client has not read yet. */
export interface UnreadLimit {
  readonly limit: number;
  /** About how many bytes the events of a session have that were appended so far. */
  readonly bytesOf: (sessionId: string) => number;
  /** The client has left more unread. */
  readonly onExceeded: () => void;
}

/** Sends the events of a session until the signal is aborted. A slow client does not delay others. */
export async function watchSession(options: SessionWatchOptions): Promise<void> {
  const { sessionId, store, after, signal, send, unread } = options;
  const { limit, bytesOf, onExceeded } = unread;
  let isCaughtUp = false;
  /** The size of the log when the client had received everything, and how much was sent since. */
  let known = bytesOf(sessionId);
  let sent = 0;
  const check = (): void => {
    if (bytesOf(sessionId) - known - sent > limit) onExceeded();
  };
  for await (const { events, isAtEnd } of store.follow(sessionId, { signal, after })) {
    isCaughtUp ||= isAtEnd;
    const appended = bytesOf(sessionId);
    const timer = setInterval(check, checkMs).unref();
    try {
      // What the AAP server stores for itself, such as sealed secrets, is nothing for clients.
      await send({ sessionId, events: events.filter(({ type }) => type !== 'aap'), isCaughtUp });
    } finally {
      clearInterval(timer);
    }
    if (isAtEnd) {
      known = appended;
      sent = 0;
    } else if (appended > known) {
      // Without anything appended, these events are from before.
      sent += events.reduce((bytes, event) => bytes + eventBytes(event), 0);
    }
  }
}

/** Interval of checks of a client with a full buffer. */
const checkMs = 250;
