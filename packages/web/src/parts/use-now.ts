import { useCallback, useSyncExternalStore } from 'react';

/** The time in milliseconds since 1970, told anew at each step: a second, a minute. */
export function useNow(stepMs: number): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const timer = setInterval(listener, Math.min(stepMs, 10_000) / 2);
      return () => clearInterval(timer);
    },
    [stepMs],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs) * stepMs);
}
