import { HostError } from '../../host-error.ts';
import type { AcquireOptions, AgentPool, AgentSlot, SlotUser } from './agent-pool.ts';

/** How much room there is. */
export interface LimitedPoolOptions {
  /** Processes at once. */
  readonly places: number;
  /** Sessions that may wait for one; more are refused as `overloaded`. */
  readonly waiting: number;
  /** How long one waits for a place; then it is refused as `overloaded`. @default 240_000 */
  readonly waitMs?: number;
  /** How long a process may be idle before it is stopped, although no session waits. */
  readonly idleMs: number;
  /** How long a process that waits for an answer is not stopped for another session. @default 60_000 */
  readonly pausedMs?: number;
}

/** A pool with room for so many, and what can be seen of it. */
export interface LimitedPool extends AgentPool {
  /** Processes there are, idle ones included. */
  readonly taken: number;
  readonly idle: number;
  /** Sessions that wait for a place. */
  readonly waiting: number;
}

/**
 * A pool of limited size. The first in the queue gets the next slot; when there is none, the process that has been idle for
 * the longest time is stopped, else the one that has waited for an answer for the longest time.
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
        `all ${String(places)} agent processes are in use, and ${String(waiting)} sessions wait for one already`,
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

  /** As many processes are on their way out as sessions wait, if there are so many to spare. */
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

/** Less than the 300 s after which `fetch` of Node times out: the caller gets an error that says why. */
const defaultWaitMs = 240_000;

const defaultPausedMs = 60_000;

function noneWasFree(places: number, waitMs: number): HostError {
  const inUse = `agent processes in use: ${String(places)} of ${String(places)}`;
  const seconds = String(waitMs / 1000);
  return new HostError('overloaded', `${inUse}, and none was free in ${seconds} s; try again later`);
}
