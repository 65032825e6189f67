import { useCallback, useSyncExternalStore } from 'react';

/** The time in milliseconds, updated at each step: a second, a minute. Since 1970, unless there is another clock. */
export function useNow(stepMs: number, clock: () => number = Date.now): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const timer = setInterval(listener, Math.min(stepMs, 10_000) / 2);
      return () => clearInterval(timer);
    },
    [stepMs],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(clock() / stepMs) * stepMs);
}
