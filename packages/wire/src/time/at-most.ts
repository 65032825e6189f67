import type { Clock } from './clock.ts';

/** Settles when a promise settles, also if it rejects, but at the latest after a number of milliseconds. */
export function atMost(ms: number, clock: Clock, done: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stopTimer = clock.after(ms, resolve);
    const end = (): void => {
      stopTimer();
      resolve();
    };
    done.then(end, end);
  });
}
