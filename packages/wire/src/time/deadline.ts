import { systemClock, type Clock } from './clock.ts';

/** The limits of a deadline. */
export interface DeadlineOptions {
  /** Time limit for the whole request, in milliseconds. @default no limit */
  readonly timeoutMs?: number;
  /** Limit for silence of the peer in the request's lane, in milliseconds. @default no limit */
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
}

/** The limit that was reached. */
export type Expiry = 'timeout' | 'idle';

type State =
  | { readonly state: 'new' }
  | { readonly state: 'running'; readonly expire: (expiry: Expiry) => void }
  | { readonly state: 'over' };

/**
 * The time limit of one request, which can be paused, for example while a user decides. Create one, pass it to
 * `request`, and pause it as often as needed; it continues when every pause has ended.
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

  /** Pauses the deadline until the returned function is called. Pauses can overlap. */
  pause(): () => void {
    if (this.#pauses++ === 0 && this.#state.state === 'running') this.#halt();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      if (--this.#pauses === 0 && this.#state.state === 'running') this.#resume();
    };
  }

  /** Whether no request was sent with it. */
  get isNew(): boolean {
    return this.#state.state === 'new';
  }

  /** For the connection: the request was sent. */
  start(expire: (expiry: Expiry) => void): void {
    if (!this.isNew) throw new TypeError('a Deadline is for one request');
    this.#state = { state: 'running', expire };
    if (this.#pauses === 0) this.#resume();
  }

  /** For the connection: a message of the peer arrived. */
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
