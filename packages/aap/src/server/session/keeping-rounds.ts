import { atEndOfTick, type Clock } from '@parley/wire';

/**
 * When events go to the store and on to their readers: at the end of the tick in which they came, those of all sessions
 * one after the other. When that takes long, the next round waits four times as long, up to a bound: under load more
 * events go together, and the calls to the system that a round is made of take a fifth of the time at most.
 */
export class KeepingRounds {
  readonly #clock: Clock;
  readonly #gatherMs: number;
  #due: (() => void)[] = [];
  #isWaiting = false;
  #restUntil = 0;

  constructor(clock: Clock, gatherMs: number) {
    this.#clock = clock;
    this.#gatherMs = gatherMs;
  }

  /** Calls once, in the next round. */
  join(keep: () => void): void {
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
    for (const keep of due) keep();
    // What is kept is also sent, by the end of the next tick.
    atEndOfTick(() => {
      const now = this.#clock.now();
      this.#restUntil = now + Math.min(restFactor * (now - start), this.#gatherMs);
    });
  }
}

/** How much longer a rest is than the round before it. */
const restFactor = 4;
