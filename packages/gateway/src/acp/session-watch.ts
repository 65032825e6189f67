import { followEventLog } from '@parley/host';
import type { EventsNote } from '@parley/host/hub';

/** What of a session somebody watches. */
export interface SessionWatchOptions {
  readonly sessionId: string;
  readonly folder: string;
  /** The number of the last event that is known. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** Takes what happened; the next is read when it has left. */
  readonly send: (note: EventsNote) => Promise<void>;
}

/**
 * Sends the events of a session until the signal is aborted. They come from the file: whoever reads slowly makes nobody
 * wait, and nothing is held for them.
 */
export async function watchSession(options: SessionWatchOptions): Promise<void> {
  const { sessionId, folder, after, signal, send } = options;
  let isCaughtUp = false;
  for await (const { events, isAtEnd } of followEventLog(folder, { signal, after })) {
    isCaughtUp ||= isAtEnd;
    // What the AAP server stores for itself, such as sealed secrets, is nothing for clients.
    await send({ sessionId, events: events.filter(({ type }) => type !== 'aap'), isCaughtUp });
  }
}
