/** How often and when an agent that exited is restarted. */
export interface RestartOptions {
  /** Attempts in a row; a completed turn resets the count. @default 5 */
  readonly attempts?: number;
  /** Delay before the second attempt; the first is immediate, and later delays double. @default 500 */
  readonly delayMs?: number;
  /** Longest delay. @default 30000 */
  readonly maxDelayMs?: number;
}

/** One attempt to start an agent again. */
export interface Attempt {
  /** From 1. */
  readonly attempt: number;
  readonly delayMs: number;
}

/** Counts attempts to start an agent again. */
export class BackOff {
  /** Number of consecutive attempts. */
  readonly attempts: number;
  readonly #delayMs: number;
  readonly #maxDelayMs: number;
  #made = 0;

  constructor({ attempts = 5, delayMs = 500, maxDelayMs = 30_000 }: RestartOptions = {}) {
    this.attempts = attempts;
    this.#delayMs = delayMs;
    this.#maxDelayMs = maxDelayMs;
  }

  /** The next attempt; undefined when there have been enough. */
  next(): Attempt | undefined {
    if (this.#made >= this.attempts) return undefined;
    this.#made += 1;
    const delayMs = this.#made === 1 ? 0 : this.#delayMs * 2 ** (this.#made - 2);
    return { attempt: this.#made, delayMs: Math.min(delayMs, this.#maxDelayMs) };
  }

  /** The agent has shown that it works. */
  reset(): void {
    this.#made = 0;
  }
}
