import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches, such as `(min-width: 700px)`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => {
        media.removeEventListener('change', listener);
      };
    },
    [query],
  );
  const get = (): boolean => matchMedia(query).matches;
  return useSyncExternalStore(subscribe, get, get);
}
