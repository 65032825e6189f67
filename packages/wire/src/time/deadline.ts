import { systemClock, type Clock } from './clock.ts';

/** How long a request may take. */
export interface DeadlineOptions {
  /** Milliseconds for the whole request. @default no limit */
  readonly timeoutMs?: number;
  /** Milliseconds in which nothing of the request's lane is heard from the peer. @default no limit */
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
}

/** Which of the two limits was reached. */
export type Expiry = 'timeout' | 'idle';

type State =
  | { readonly state: 'new' }
  | { readonly state: 'running'; readonly expire: (expiry: Expiry) => void }
  | { readonly state: 'over' };

/**
 * The time of one request, which can be paused: a user who decides is not silence.
 * Make one, hand it to `request`, and pause it as often as there are reasons to; it runs again when each has ended.
 */
export class Deadline {
  /** The limit for the whole request, in milliseconds. */
  readonly timeoutMs: number;
  /** The limit for silence, in milliseconds. */
  readonly idleTimeoutMs: number;
  readonly #clock: Clock;
  #leftMs: number;
  #heardAt = 0;
  #resumedAt = 0;
  #pauses = 0;
  #state: State = { state: 'new' };
  #stopTimer: (() => void) | undefined;

  constructor(options: DeadlineOptions) {
    this.#clock = options.clock ?? systemClock;
    this.timeoutMs = options.timeoutMs ?? Number.POSITIVE_INFINITY;
    this.idleTimeoutMs = options.idleTimeoutMs ?? Number.POSITIVE_INFINITY;
    this.#leftMs = this.timeoutMs;
  }

  /** Stops the time until the returned function is called. Pauses add up. */
  pause(): () => void {
    if (this.#pauses++ === 0 && this.#state.state === 'running') this.#halt();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      if (--this.#pauses === 0 && this.#state.state === 'running') this.#resume();
    };
  }

  /** For the connection: the request was sent. */
  start(expire: (expiry: Expiry) => void): void {
    if (this.#state.state !== 'new') throw new TypeError('a Deadline is for one request');
    this.#state = { state: 'running', expire };
    if (this.#pauses === 0) this.#resume();
  }

  /** For the connection: the peer was heard. */
  touch(): void {
    this.#heardAt = this.#clock.now();
  }

  /** For the connection: the request is settled. */
  stop(): void {
    this.#state = { state: 'over' };
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #resume(): void {
    this.#resumedAt = this.#clock.now();
    this.#heardAt = this.#resumedAt;
    this.#arm();
  }

  #halt(): void {
    this.#leftMs -= this.#clock.now() - this.#resumedAt;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #arm(): void {
    const now = this.#clock.now();
    const timeoutMs = this.#leftMs - (now - this.#resumedAt);
    const idleMs = this.idleTimeoutMs - (now - this.#heardAt);
    if (timeoutMs <= 0) return this.#expire('timeout');
    if (idleMs <= 0) return this.#expire('idle');
    const nextMs = Math.min(timeoutMs, idleMs, longestTimerMs);
    this.#stopTimer = this.#clock.after(Math.ceil(nextMs), () => this.#arm());
  }

  #expire(expiry: Expiry): void {
    if (this.#state.state !== 'running') return;
    const { expire } = this.#state;
    this.stop();
    expire(expiry);
  }
}

/** setTimeout takes a signed 32-bit number and fires at once beyond it. */
const longestTimerMs = 2 ** 31 - 1;
