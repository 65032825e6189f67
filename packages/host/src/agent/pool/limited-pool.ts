import { HostError } from '../../host-error.ts';
import type { AcquireOptions, AgentPool, AgentSlot, SlotUser } from './agent-pool.ts';

/** Options of a limited pool. */
export interface LimitedPoolOptions {
  /** Maximum number of processes. */
  readonly places: number;
  /** Sessions that may wait for a slot; more are rejected with `overloaded`. */
  readonly waiting: number;
  /** How long a session waits for a slot before it is rejected with `overloaded`. @default 240_000 */
  readonly waitMs?: number;
  /** How long a process may be idle before it is stopped, even if no session waits. */
  readonly idleMs: number;
  /** Time after which a process that waits for an answer may lose its slot. @default 60_000 */
  readonly pausedMs?: number;
}

/** A pool with a limited number of slots. */
export interface LimitedPool extends AgentPool {
  /** Number of processes, including idle ones. */
  readonly taken: number;
  readonly idle: number;
  /** Sessions that wait for a slot. */
  readonly waiting: number;
}

/**
 * Creates a pool of limited size. Sessions get slots in order. If none is free, the pool stops the process that has
 * been idle longest, else the one that has waited for an answer longest.
 */
export function createLimitedPool(options: LimitedPoolOptions): LimitedPool {
  return new Places(options);
}

interface Waiting {
  readonly user: SlotUser;
  readonly grant: (place: AgentSlot) => void;
  readonly onAhead?: (ahead: number) => void;
  /** The last reported number. */
  ahead?: number;
}

class Places implements LimitedPool {
  readonly #options: LimitedPoolOptions;
  readonly #waiting = new Set<Waiting>();
  /** The longest idle first. */
  readonly #idle = new Set<Place>();
  /** Those that have waited for an answer long enough, the longest first. */
  readonly #paused = new Set<Place>();
  #taken = 0;
  #stopping = 0;

  constructor(options: LimitedPoolOptions) {
    this.#options = options;
  }

  get taken(): number {
    return this.#taken;
  }

  get idle(): number {
    return this.#idle.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  async acquire(user: SlotUser, { signal, onWait, onAhead, ...own }: AcquireOptions): Promise<AgentSlot> {
    signal.throwIfAborted();
    const { places, waiting } = this.#options;
    const waitMs = Math.min(own.waitMs ?? Infinity, this.#options.waitMs ?? defaultWaitMs);
    if (this.#taken < places && this.#waiting.size === 0) return this.#give(user);
    if (this.#waiting.size >= waiting) {
      throw new HostError(
        'overloaded',
        `all ${String(places)} agent processes are in use, and ${String(waiting)} sessions are already waiting for one`,
      );
    }
    return new Promise<AgentSlot>((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(entry);
        this.#reportAhead();
      };
      const entry: Waiting = {
        user,
        ...(onAhead !== undefined && { onAhead }),
        grant: (place) => {
          leave();
          resolve(place);
        },
      };
      const onAbort = (): void => {
        leave();
        const reason: unknown = signal.reason;
        reject(reason instanceof Error ? reason : new Error('the wait was aborted', { cause: reason }));
      };
      const timer = setTimeout(() => {
        leave();
        reject(noneWasFree(places, waitMs));
      }, waitMs);
      timer.unref();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(entry);
      onWait?.(waitMs);
      this.#reportAhead();
      this.#makeRoom();
    });
  }

  #give(user: SlotUser): AgentSlot {
    this.#taken += 1;
    const place: Place = { user, state: 'used' };
    return {
      idle: () => {
        if (place.state !== 'used') return;
        place.state = 'idle';
        this.#idle.add(place);
        place.timer = setTimeout(() => {
          this.#stop(place);
        }, this.#options.idleMs);
        place.timer.unref();
        this.#makeRoom();
      },
      pause: () => {
        if (place.state !== 'used') return;
        place.state = 'paused';
        place.timer = setTimeout(() => {
          this.#paused.add(place);
          this.#makeRoom();
        }, this.#options.pausedMs ?? defaultPausedMs);
        place.timer.unref();
      },
      use: () => {
        if (place.state !== 'idle' && place.state !== 'paused') return place.state === 'used';
        this.#wake(place);
        place.state = 'used';
        return true;
      },
      release: () => {
        this.#release(place);
      },
    };
  }

  #reportAhead(): void {
    let ahead = 0;
    for (const entry of this.#waiting) {
      if (entry.ahead !== ahead) {
        entry.ahead = ahead;
        entry.onAhead?.(ahead);
      }
      ahead += 1;
    }
  }

  /** Stops processes until one slot per waiting session is about to become free, as far as processes can be stopped. */
  #makeRoom(): void {
    for (const place of [...this.#idle, ...this.#paused]) {
      if (this.#stopping >= this.#waiting.size) return;
      this.#stop(place);
    }
  }

  #stop(place: Place): void {
    this.#wake(place);
    place.state = 'stopping';
    this.#stopping += 1;
    place.user.stop().then(
      () => {
        this.#release(place);
      },
      () => {
        this.#release(place);
      },
    );
  }

  #wake(place: Place): void {
    clearTimeout(place.timer);
    this.#idle.delete(place);
    this.#paused.delete(place);
  }

  #release(place: Place): void {
    if (place.state === 'free') return;
    this.#wake(place);
    if (place.state === 'stopping') this.#stopping -= 1;
    place.state = 'free';
    this.#taken -= 1;
    const [next] = this.#waiting;
    if (next === undefined) return;
    next.grant(this.#give(next.user));
  }
}

interface Place {
  readonly user: SlotUser;
  state: 'used' | 'idle' | 'paused' | 'stopping' | 'free';
  timer?: NodeJS.Timeout;
}

/**
 * How long a session waits for a slot: less than the 300 s timeout of Node's `fetch`, so that the caller gets an
 * error with a reason.
 */
const defaultWaitMs = 240_000;

/** Default of `pausedMs`. */
const defaultPausedMs = 60_000;

function noneWasFree(places: number, waitMs: number): HostError {
  const inUse = `agent processes in use: ${String(places)} of ${String(places)}`;
  const seconds = String(waitMs / 1000);
  return new HostError('overloaded', `${inUse}, and none was free in ${seconds} s; try again later`);
}
