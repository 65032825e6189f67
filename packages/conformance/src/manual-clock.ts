import type { Clock } from '@parley/wire';

/** A clock that only tests advance. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Number of active timers. */
  readonly timers: number;
}

/** Creates a stopped clock for tests. */
export function manualClock(): ManualClock {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    get timers() {
      return timers.length;
    },
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}
