import type { StreamMode } from '../../agent-info.ts';
import type { TurnOutcome } from '../session/session-record.ts';
import { sizeOf } from './event-size.ts';
import type { StreamedEvent } from './frame.ts';

/** An event that may be sent, for it is in the store. */
export interface NumberedEvent {
  readonly seq: number;
  readonly event: StreamedEvent;
}

/** A turn that goes on: its latest events, for whoever reads along. */
export class LiveTurn {
  readonly turnId: string;
  readonly stream: StreamMode;
  /** Settles when the turn is over and all of it is in the store. */
  readonly stopped: Promise<TurnOutcome>;
  readonly #recentChars: number;
  #recent: NumberedEvent[] = [];
  #chars = 0;
  #last = 0;
  #isStopped = false;
  #stop: (outcome: TurnOutcome) => void = () => undefined;
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

  /** Adds what follows; `wake` tells the readers. */
  publish(event: StreamedEvent): void {
    this.#last += 1;
    this.#recent.push({ seq: this.#last, event });
    this.#chars += sizeOf(event);
    if (event.event === 'turn_stop') {
      this.#isStopped = true;
      this.#stop(event);
    }
    if (this.#chars > 2 * this.#recentChars) this.#forget();
  }

  /** Calls everybody who waits. */
  wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const call of waiting) call();
  }

  /** The events behind a number, or undefined when the next one is not in memory any more. */
  eventsAfter(seq: number): readonly NumberedEvent[] | undefined {
    const first = this.#recent[0]?.seq ?? this.#last + 1;
    if (seq + 1 < first) return undefined;
    return seq + 1 === first ? this.#recent : this.#recent.slice(seq + 1 - first);
  }

  /** Calls once when there is more. */
  onMore(call: () => void): void {
    this.#waiting.push(call);
  }

  /** Half of them at a time, so that each is moved about once. */
  #forget(): void {
    let from = 0;
    while (this.#chars > this.#recentChars && from < this.#recent.length - 1) {
      const first = this.#recent[from];
      if (first === undefined) break;
      this.#chars -= sizeOf(first.event);
      from += 1;
    }
    this.#recent = this.#recent.slice(from);
  }
}
