import type { Clock } from '@parley/wire';

/** A clock that a test moves on. */
export interface FakeClock extends Clock {
  /** Moves it on, and runs what is due. */
  advance(ms: number): Promise<void>;
}

/** A clock that stands still until it is moved on. */
export function fakeClock(): FakeClock {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        now = next.at;
        timers = timers.filter((each) => each !== next);
        next.run();
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      now = end;
    },
  };
}
