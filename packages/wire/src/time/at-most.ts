import type { Clock } from './clock.ts';

/** Settles when a promise does, also when it rejects, but no later than after so many milliseconds. */
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
