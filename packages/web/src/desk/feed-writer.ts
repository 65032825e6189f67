import type { EventsNote } from '@parley/host/desk';
import { parseJournalEvent, reduce } from '@parley/host/view';
import { emptyFeed, type SessionFeed } from './session-feed.ts';

/** How much of what an agent or a command wrote is kept here, in characters. */
const keptText = 200_000;

/** Makes the feed of one session of what the desk tells; it is shown once a frame, however much comes. */
export class FeedWriter {
  readonly #show: (feed: SessionFeed) => void;
  #feed: SessionFeed = emptyFeed;
  #isScheduled = false;

  /** @param show Is given the feed whenever it has changed. */
  constructor(show: (feed: SessionFeed) => void) {
    this.#show = show;
  }

  /** The number of the last event that is known. */
  get seq(): number {
    return this.#feed.view.seq;
  }

  takeEvents({ events, isCaughtUp }: Pick<EventsNote, 'events' | 'isCaughtUp'>): void {
    let { view } = this.#feed;
    for (const raw of events) {
      const event = parseJournalEvent(raw);
      if (event !== undefined) view = reduce(view, event);
    }
    this.#change({ ...this.#feed, view, isCaughtUp: this.#feed.isCaughtUp || isCaughtUp });
  }

  takeTerminal(terminalId: string, text: string, isWhole: boolean): void {
    const terminals = new Map(this.#feed.terminals);
    const before = isWhole ? '' : (terminals.get(terminalId) ?? '');
    terminals.set(terminalId, (before + text).slice(-keptText));
    this.#change({ ...this.#feed, terminals });
  }

  takeLog(text: string): void {
    this.#change({ ...this.#feed, log: (this.#feed.log + text).slice(-keptText) });
  }

  /** What is told anew from its beginning each time. */
  forgetLog(): void {
    this.#change({ ...this.#feed, log: '' });
  }

  #change(feed: SessionFeed): void {
    this.#feed = feed;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const show = (): void => {
      this.#isScheduled = false;
      this.#show(this.#feed);
    };
    // A page that is not seen has no frames.
    if (document.visibilityState === 'visible') requestAnimationFrame(show);
    else setTimeout(show, 200);
  }
}
