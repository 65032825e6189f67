import { atEndOfTick, type Clock } from '@parley/wire';

/** Keeps the events of one session that have gathered, and returns how many there were. */
export type Keep = () => number;

/**
 * When events go to the store and on to their readers: at the end of the tick in which they came, those of all sessions
 * one after the other. When that takes long, the next round waits as long again; and up to eight times as long where a round
 * brings several events of each session together, for then each costs less.
 */
export class KeepingRounds {
  readonly #clock: Clock;
  readonly #gatherMs: number;
  #due: Keep[] = [];
  #isWaiting = false;
  #restUntil = 0;

  /** @param gatherMs The longest that a round waits. */
  constructor(clock: Clock, gatherMs: number) {
    this.#clock = clock;
    this.#gatherMs = gatherMs;
  }

  /** Calls once, in the next round. */
  join(keep: Keep): void {
    this.#due.push(keep);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const restMs = this.#restUntil - this.#clock.now();
    if (restMs < 1) atEndOfTick(() => this.#run());
    else this.#clock.after(restMs, () => this.#run());
  }

  #run(): void {
    const due = this.#due;
    this.#due = [];
    this.#isWaiting = false;
    const start = this.#clock.now();
    let events = 0;
    for (const keep of due) events += keep();
    const share = Math.min(Math.max(events / due.length - 1, 1 / longestRest), 1);
    // What is kept is also sent, by the end of the next tick.
    atEndOfTick(() => {
      const now = this.#clock.now();
      this.#restUntil = now + share * Math.min(longestRest * (now - start), this.#gatherMs);
    });
  }
}

/** How much longer than the round before it a rest is at most: calls to the system then take a ninth of the time. */
const longestRest = 8;
