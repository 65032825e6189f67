/** How often each name may do something. */
export interface RateLimit {
  /** Counts one more. @returns how many ms too early it is; 0 when it may go on */
  take(name: string): number;
}

/** What a rate is made of. */
export interface RateLimitOptions {
  /** How many a minute, and how many at once. */
  readonly perMinute: number;
  /** How many names are remembered. The one that was seen longest ago goes first. */
  readonly names: number;
  /** A clock that only goes forward, in milliseconds. */
  readonly now: () => number;
}

/**
 * Allows a number of things a minute, evenly, after a burst of as many. Keeps one time for each name: when all that it
 * did would have been due, had it come at the even rate (GCRA).
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
