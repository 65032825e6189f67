import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Whether a media query matches, such as `(min-width: 700px)`. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      media.addEventListener('change', listener);
      return () => {
        media.removeEventListener('change', listener);
      };
    },
    [media],
  );
  const get = (): boolean => media.matches;
  return useSyncExternalStore(subscribe, get, get);
}
