import type { StreamMode } from '../../agent-info.ts';
import type { AapTurnOutcome } from '../session/aap-session-record.ts';
import { sizeOf } from './event-size.ts';
import type { StreamedEvent } from './frame.ts';

/** Events that follow each other and may be sent, for they are in the store. */
export interface StoredEvents {
  /** The number of the first one. */
  readonly from: number;
  readonly events: readonly StreamedEvent[];
}

/** A running turn: its latest events, for its readers. */
export class LiveTurn {
  readonly turnId: string;
  readonly stream: StreamMode;
  /** Settles when the turn is over and all of it is in the store. */
  readonly stopped: Promise<AapTurnOutcome>;
  readonly #recentChars: number;
  #recent: StreamedEvent[] = [];
  #chars = 0;
  #last = 0;
  #isStopped = false;
  #stop: (outcome: AapTurnOutcome) => void = () => undefined;
  #waiting: (() => void)[] = [];

  constructor(turnId: string, stream: StreamMode, recentChars: number) {
    this.turnId = turnId;
    this.stream = stream;
    this.#recentChars = recentChars;
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  /** No event will come any more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last;
  }

  /** Adds what follows; `wake` notifies the readers. */
  publish(event: StreamedEvent): void {
    this.#last += 1;
    this.#recent.push(event);
    this.#chars += sizeOf(event);
    if (event.event === 'turn_stop') {
      this.#isStopped = true;
      this.#stop(event);
    }
    if (this.#chars > 2 * this.#recentChars) this.#forget();
  }

  /** Wakes all that wait. */
  wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const call of waiting) call();
  }

  /** The events behind a number, or undefined when the next one is not in memory any more. */
  eventsAfter(seq: number): StoredEvents | undefined {
    const from = seq + 1;
    const first = this.#last + 1 - this.#recent.length;
    if (from < first) return undefined;
    return { from, events: from === first ? this.#recent : this.#recent.slice(from - first) };
  }

  /** Calls once when there is more. */
  onMore(call: () => void): void {
    this.#waiting.push(call);
  }

  /** Half of them at a time, so that each is moved about once. */
  #forget(): void {
    let from = 0;
    while (this.#chars > this.#recentChars && from < this.#recent.length - 1) {
      const event = this.#recent[from];
      if (event === undefined) break;
      this.#chars -= sizeOf(event);
      from += 1;
    }
    this.#recent = this.#recent.slice(from);
  }
}
