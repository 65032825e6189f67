import type { EventsNote, LogNote, TerminalNote } from '@parley/host/hub';
import type { FeedWriter } from './feed-writer.ts';
import { emptyFeed, type SessionFeed } from './session-feed.ts';
import { Store } from './store.ts';

/** How to subscribe to a session at the hub, and to unsubscribe. */
export interface SessionFeedsOptions {
  /** @param after The number of the last event that is known. */
  readonly begin: (key: string, after: number) => void;
  readonly end: (key: string) => void;
  /** The code that makes feeds is loaded with the first subscriber. */
  readonly loadWriter: () => Promise<typeof FeedWriter>;
  /** It could not be loaded. */
  readonly onFailure: (error: unknown) => void;
}

interface Watched {
  readonly store: Store<SessionFeed>;
  /** Number of users of the feed. */
  count: number;
  /** Absent until what writes it is loaded. */
  writer?: FeedWriter;
}

/** The sessions that are watched, each while it has subscribers. */
export class SessionFeeds {
  readonly #options: SessionFeedsOptions;
  readonly #watched = new Map<string, Watched>();

  constructor(options: SessionFeedsOptions) {
    this.#options = options;
  }

  feed(key: string): SessionFeed {
    return this.#watched.get(key)?.store.get() ?? emptyFeed;
  }

  watch(key: string, listener: () => void): () => void {
    const watched = this.#watched.get(key) ?? { store: new Store(emptyFeed), count: 0 };
    watched.count += 1;
    this.#watched.set(key, watched);
    if (watched.count === 1) void this.#load(key, watched);
    const stop = watched.store.subscribe(listener);
    return () => {
      stop();
      watched.count -= 1;
      if (watched.count > 0 || this.#watched.get(key) !== watched) return;
      this.#watched.delete(key);
      if (watched.writer !== undefined) this.#options.end(key);
    };
  }

  /** Requests all feeds again, each from the last known event on. */
  beginAgain(): void {
    for (const [key, { writer }] of this.#watched) if (writer !== undefined) this.#begin(key, writer);
  }

  takeEvents(note: EventsNote): void {
    this.#watched.get(note.sessionId)?.writer?.takeEvents(note);
  }

  takeTerminal({ sessionId, terminalId, text, isWhole }: TerminalNote): void {
    this.#watched.get(sessionId)?.writer?.takeTerminal(terminalId, text, isWhole === true);
  }

  takeLog({ sessionId, text }: LogNote): void {
    this.#watched.get(sessionId)?.writer?.takeLog(text);
  }

  async #load(key: string, watched: Watched): Promise<void> {
    try {
      const Writer = await this.#options.loadWriter();
      // It may have another subscriber by now, or none.
      if (this.#watched.get(key) !== watched) return;
      watched.writer = new Writer((feed) => watched.store.set(feed));
      this.#begin(key, watched.writer);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  #begin(key: string, writer: FeedWriter): void {
    writer.forgetLog();
    this.#options.begin(key, writer.seq);
  }
}
