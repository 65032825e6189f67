import type { Clock } from '@parley/wire';

/** A clock that moves only when a test says so. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Timers that are neither over nor stopped. */
  readonly timers: number;
}

/** A clock for tests, which stands still. */
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
