import type { Clock } from '@parley/wire';

/** Waits for something, but not for ever; a failure counts as its end. */
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
