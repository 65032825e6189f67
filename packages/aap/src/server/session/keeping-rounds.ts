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
  /** What joins is in a round that is planned, or will be once it is known how long the last one took. */
  #isPlanned = false;
  #restUntil = 0;

  /** @param gatherMs The longest that a round waits. */
  constructor(clock: Clock, gatherMs: number) {
    this.#clock = clock;
    this.#gatherMs = gatherMs;
  }

  /** Calls once, in the next round. */
  join(keep: Keep): void {
    this.#due.push(keep);
    if (!this.#isPlanned) this.#plan();
  }

  #plan(): void {
    this.#isPlanned = true;
    const restMs = this.#restMs;
    if (restMs < 1) atEndOfTick(() => this.#run());
    else this.#clock.after(restMs, () => this.#run());
  }

  #run(): void {
    const due = this.#due;
    this.#due = [];
    const start = this.#clock.now();
    let events = 0;
    for (const keep of due) events += keep();
    const share = Math.min(Math.max(events / due.length - 1, 1 / longestRest), 1);
    // What is kept is also sent, by the end of the next tick. What joins until then waits for how long that takes: by itself
    // it would be one event of each session, in each tick.
    atEndOfTick(() => {
      const now = this.#clock.now();
      this.#restUntil = now + share * Math.min(longestRest * (now - start), this.#gatherMs);
      if (this.#due.length === 0) this.#isPlanned = false;
      else if (this.#restMs < 1) this.#run();
      else this.#plan();
    });
  }

  get #restMs(): number {
    return this.#restUntil - this.#clock.now();
  }
}

/**
 * Longest pause between two writes, as a multiple of the previous write's duration: system calls then take a ninth of
 * the time.
 */
const longestRest = 8;
