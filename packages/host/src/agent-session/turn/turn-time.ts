import { systemClock, type Clock } from '@parley/wire';

/** Time limits of a turn. */
export interface TurnLimits {
  /** Limit for the whole turn, including questions to the user. @default no limit */
  readonly timeoutMs?: number;
  /**
   * Limit for silence of the agent, except while the user is being asked or the agent has to wait. @default no limit
   */
  readonly idleTimeoutMs?: number;
}

/** The limit that a turn reached. */
export type TurnLimit = 'turn' | 'silence';

/** Why questions of a turn end that reached a limit: the reason of their signal, in place of a user who cancelled it. */
export const limitReached: unique symbol = Symbol('limit reached');

/** A limit that is nearly reached. */
export interface NearLimit {
  readonly limit: TurnLimit;
  readonly limitMs: number;
  /** Until it is, if nothing happens. */
  readonly leftMs: number;
}

/** How the time of a turn is watched. */
export interface TurnTimeOptions extends TurnLimits {
  /** Called shortly before a limit, to check what the turn is waiting for. */
  readonly onNearly: (near: NearLimit) => void;
  /** @default the machine's own time */
  readonly clock?: Clock;
}

/** How long before a time limit the host checks what the turn is waiting for. */
const lookMs = 300;
/** Largest delay of setTimeout, a signed 32-bit number; a larger one fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The time of one turn. */
export class TurnTime {
  readonly #options: TurnTimeOptions;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #isUnlimited: boolean;
  #heardAt: number;
  #pauses = 0;
  readonly #timers: Record<TurnLimit, (() => void) | undefined> = { turn: undefined, silence: undefined };
  #isOver = false;

  constructor(options: TurnTimeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#isUnlimited = options.timeoutMs === undefined && options.idleTimeoutMs === undefined;
    this.#startedAt = this.#clock.now();
    this.#heardAt = this.#startedAt;
    this.#arm('turn');
    this.#arm('silence');
  }

  /** Duration of the agent's silence, where there is a limit. */
  get silentMs(): number {
    return this.#clock.now() - this.#heardAt;
  }

  /** Records activity of the agent. Does not reset the timer: the timer compares the times when it fires. */
  heard(): void {
    // Each chunk is heard, and reading the clock costs more than all else of it here.
    if (this.#isUnlimited) return;
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

  /** Whether a nearly reached limit is reached by now. If not, its time continues. */
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
