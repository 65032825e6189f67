import type { EventsNote } from '@parley/host/hub';
import { get, parseLoggedEvent, reduce, type SessionState } from '@parley/host/state';
import { keptText, loadingMs } from '../limits.ts';
import { emptyFeed, type SessionFeed } from './session-feed.ts';

/** Some events of a session. */
type EventsOf = Pick<EventsNote, 'events' | 'isCaughtUp'>;

/** Time to process events before the page handles other work. */
const sliceMs = 12;

/** The longest that the page rests between two displays. */
const mostRestMs = 100;

/** Number of events between two checks of the time. */
const sliceEvents = 64;

/**
 * Builds the feed of a session from the hub's events. It is shown at most once per animation frame, and after a pause as long as displaying it
 * took, so that a slow device is busy for half of the time. Until all events up to the start of watching are there, it is shown less
 * often: their number is all that is displayed of it until then.
 */
export class FeedWriter {
  readonly #show: (feed: SessionFeed) => void;
  #feed: SessionFeed = emptyFeed;
  /** When it is shown next. */
  #scheduled: 'never' | 'progress' | 'frame' = 'never';
  /** Until when the page rests. */
  #restUntil = 0;
  /** Batches of which not all events were taken. */
  readonly #rest: EventsOf[] = [];
  /** Number of events of the first batch that were processed. */
  #taken = 0;

  /** @param show Is given the feed whenever it has changed. */
  constructor(show: (feed: SessionFeed) => void) {
    this.#show = show;
  }

  /** The number of the last event that is known. */
  get seq(): number {
    return this.#rest.at(-1)?.events.at(-1)?.seq ?? this.#feed.view.seq;
  }

  /** Processes many events in slices, between which the page handles other work. */
  takeEvents(note: EventsOf): void {
    this.#rest.push(note);
    if (this.#rest.length === 1) this.#takeSlice();
  }

  takeTerminal(terminalId: string, text: string, isWhole: boolean): void {
    // It comes beside the events, and may be behind the end of the command.
    if (hasEnded(terminalId, this.#feed.view)) return;
    const terminals = new Map(this.#feed.terminals);
    const before = isWhole ? '' : (terminals.get(terminalId) ?? '');
    terminals.set(terminalId, (before + text).slice(-keptText));
    this.#change({ ...this.#feed, terminals });
  }

  takeLog(text: string): void {
    this.#change({ ...this.#feed, log: (this.#feed.log + text).slice(-keptText) });
  }

  /** Values that are sent completely each time. */
  forgetLog(): void {
    this.#change({ ...this.#feed, log: '' });
  }

  #takeSlice(): void {
    const end = performance.now() + sliceMs;
    let { view, isCaughtUp, terminals } = this.#feed;
    for (let note = this.#rest[0]; note !== undefined && performance.now() < end; note = this.#rest[0]) {
      for (const raw of note.events.slice(this.#taken, this.#taken + sliceEvents)) {
        const event = parseLoggedEvent(raw);
        if (event !== undefined) view = reduce(view, event);
      }
      this.#taken += sliceEvents;
      if (this.#taken < note.events.length) continue;
      this.#taken = 0;
      this.#rest.shift();
      isCaughtUp ||= note.isCaughtUp;
    }
    // The view has what a command wrote that has ended.
    if (terminals.size > 0) terminals = new Map([...terminals].filter(([id]) => !hasEnded(id, view)));
    this.#change({ ...this.#feed, view, isCaughtUp, terminals }, isCaughtUp ? 'frame' : 'progress');
    if (this.#rest.length > 0) soon(() => this.#takeSlice());
  }

  #change(feed: SessionFeed, next: 'progress' | 'frame' = 'frame'): void {
    this.#feed = feed;
    if (this.#scheduled === 'frame' || this.#scheduled === next) return;
    this.#scheduled = next;
    const show = (): void => {
      if (this.#scheduled !== next) return;
      this.#scheduled = 'never';
      const begun = performance.now();
      this.#show(this.#feed);
      // After what the page does for it: rendering, layout and painting.
      soon(() => {
        const now = performance.now();
        this.#restUntil = now + Math.min(now - begun, mostRestMs);
      });
    };
    // A page that is not seen has no frames.
    if (next !== 'frame' || document.visibilityState !== 'visible') {
      setTimeout(show, loadingMs);
      return;
    }
    const leftMs = this.#restUntil - performance.now();
    if (leftMs <= 0) requestAnimationFrame(show);
    else setTimeout(() => requestAnimationFrame(show), leftMs);
  }
}

/** Runs the callback after tasks that are waiting. Nested timers would wait for 4 ms each. */
function soon(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    callback();
  });
  port1.start();
  port2.postMessage(undefined);
}

function hasEnded(terminalId: string, view: SessionState): boolean {
  return get(view.terminals, terminalId)?.state === 'ended';
}
