/** How often each name may do something. */
export interface RateLimit {
  /** Counts one more request. @returns how many ms too early it is; 0 if it is permitted */
  take(name: string): number;
}

/** Options of {@link createRateLimit}. */
export interface RateLimitOptions {
  /** Allowed number per minute, and size of a burst. */
  readonly perMinute: number;
  /** Maximum number of names to remember. The one used least recently is dropped first. */
  readonly names: number;
  /** A clock that only goes forward, in milliseconds. */
  readonly now: () => number;
}

/**
 * Limits actions per name to a rate per minute, after a burst of the same size. Stores one time per name: when all
 * its actions would have been due at an even rate (GCRA).
 */
export function createRateLimit({ perMinute, names, now }: RateLimitOptions): RateLimit {
  const spacingMs = 60_000 / perMinute;
  const burstMs = 60_000 - spacingMs;
  const due = new Map<string, number>();
  return {
    take: (name) => {
      const time = now();
      const since = Math.max(due.get(name) ?? time, time);
      const wait = since - burstMs - time;
      if (wait > 0) return wait;
      const next = since + spacingMs;
      due.delete(name);
      due.set(name, next);
      const [oldest] = due.keys();
      if (due.size > names && oldest !== undefined) due.delete(oldest);
      return 0;
    },
  };
}
