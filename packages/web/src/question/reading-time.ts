import { readingMs } from '@parley/host/state';
import { useCallback, useLayoutEffect, useRef } from 'react';

/** Whether a key or click came before the question could be read: it was meant for what was shown there before. */
export function isTooEarly(steadySince: number, now: number): boolean {
  return now - steadySince < readingMs;
}

/** Whether something has been displayed unchanged long enough to be read. */
export function useReadable(what: string): () => boolean {
  const shown = useRef({ what: '', since: 0 });
  useLayoutEffect(() => {
    if (shown.current.what !== what) shown.current = { what, since: performance.now() };
  }, [what]);
  return useCallback(() => !isTooEarly(shown.current.since, performance.now()), []);
}
