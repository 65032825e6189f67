import { systemClock, type Clock } from '@parley/wire';

/** How long a turn may take. */
export interface TurnLimits {
  /** The whole turn, answers of the user included. @default no limit */
  readonly timeoutMs?: number;
  /** Silence of the agent, while the user is not asked anything and it is not kept waiting. @default no limit */
  readonly idleTimeoutMs?: number;
}

/** Which limit a turn reaches. */
export type TurnLimit = 'turn' | 'silence';

/** A limit that is nearly reached. */
export interface NearLimit {
  readonly limit: TurnLimit;
  readonly limitMs: number;
  /** Until it is, if nothing happens. */
  readonly leftMs: number;
}

/** How the time of a turn is watched. */
export interface TurnTimeOptions extends TurnLimits {
  /** It is time to look what the turn waits for. */
  readonly onNearly: (near: NearLimit) => void;
  /** @default the machine's own time */
  readonly clock?: Clock;
}

/** How long before a limit is reached it is looked what the turn waits for, at most. */
const lookMs = 300;
/** setTimeout takes a signed 32-bit number and fires at once beyond it. */
const longestTimerMs = 2 ** 31 - 1;

/** The time of one turn. */
export class TurnTime {
  readonly #options: TurnTimeOptions;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #heardAt: number;
  #pauses = 0;
  readonly #timers: Record<TurnLimit, (() => void) | undefined> = { turn: undefined, silence: undefined };
  #isOver = false;

  constructor(options: TurnTimeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#startedAt = this.#clock.now();
    this.#heardAt = this.#startedAt;
    this.#arm('turn');
    this.#arm('silence');
  }

  /** How long nothing was heard of the agent. */
  get silentMs(): number {
    return this.#clock.now() - this.#heardAt;
  }

  /** The agent said something. No timer is touched: the one that runs looks when it fires. */
  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  /** What follows is not the agent's silence, until the returned function is called. Pauses add up. */
  pause(): () => void {
    this.#pauses += 1;
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      this.#pauses -= 1;
      this.heard();
      this.#arm('silence');
    };
  }

  /** Whether a limit that was nearly reached is reached by now; if it is not, its time goes on. */
  isReached(limit: TurnLimit): boolean {
    if (this.#isOver) return false;
    if (this.#leftMs(limit) <= 0) return true;
    this.#arm(limit);
    return false;
  }

  stop(): void {
    this.#isOver = true;
    this.#timers.turn?.();
    this.#timers.silence?.();
  }

  #arm(limit: TurnLimit): void {
    const leftMs = this.#leftMs(limit);
    // Without a limit, or while it is paused, there is nothing to wait for.
    if (this.#isOver || this.#timers[limit] !== undefined || leftMs === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.max(0, leftMs - this.#lookMs(limit));
    this.#timers[limit] = this.#clock.after(Math.min(waitMs, longestTimerMs), () => {
      this.#timers[limit] = undefined;
      this.#look(limit);
    });
  }

  #look(limit: TurnLimit): void {
    const leftMs = this.#leftMs(limit);
    if (leftMs > this.#lookMs(limit)) return this.#arm(limit);
    this.#options.onNearly({ limit, limitMs: this.#limitMs(limit), leftMs });
  }

  #lookMs(limit: TurnLimit): number {
    return Math.min(lookMs, this.#limitMs(limit) / 2);
  }

  #limitMs(limit: TurnLimit): number {
    const { timeoutMs, idleTimeoutMs } = this.#options;
    return (limit === 'turn' ? timeoutMs : idleTimeoutMs) ?? Number.POSITIVE_INFINITY;
  }

  #leftMs(limit: TurnLimit): number {
    if (limit === 'turn') return this.#limitMs(limit) - (this.#clock.now() - this.#startedAt);
    return this.#pauses > 0 ? Number.POSITIVE_INFINITY : this.#limitMs(limit) - this.silentMs;
  }
}
