import { useCallback, useLayoutEffect, useRef } from 'react';
import { isTooEarly } from './decide-key.ts';

/** Whether something has stood as it does for as long as it takes to read. */
export function useReadable(what: string): () => boolean {
  const shown = useRef({ what: '', since: 0 });
  useLayoutEffect(() => {
    if (shown.current.what !== what) shown.current = { what, since: performance.now() };
  }, [what]);
  return useCallback(() => !isTooEarly(shown.current.since, performance.now()), []);
}
