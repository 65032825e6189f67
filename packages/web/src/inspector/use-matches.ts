import { useEffect, useMemo, useState } from 'react';
import type { FrameFilter } from './frame-filter.ts';
import type { FrameLog } from './frame-log.ts';
import type { FrameRow } from './frame-row.ts';
import { MatchList } from './match-list.ts';

/** Time that a search runs before the page handles other work. */
const sliceMs = 8;

/** The frames that a filter wants. */
export interface Matches {
  readonly rows: readonly FrameRow[];
  /** More may be found. */
  readonly isSearching: boolean;
}

/**
 * The frames of a log that match a filter, as they are found.
 *
 * @param count Number of frames so far; later ones are left out.
 */
export function useMatches(log: FrameLog, filter: FrameFilter, count: number): Matches {
  const list = useMemo(() => new MatchList(log, filter), [log, filter]);
  const [matches, setMatches] = useState<Matches>({ rows: [], isSearching: false });
  useEffect(() => {
    let next: number | undefined;
    const step = (): void => {
      const end = performance.now() + sliceMs;
      const isThrough = list.scan(() => performance.now() > end, count);
      setMatches({ rows: list.rows, isSearching: !isThrough });
      next = isThrough ? undefined : requestAnimationFrame(step);
    };
    step();
    return () => {
      if (next !== undefined) cancelAnimationFrame(next);
    };
  }, [list, count]);
  return matches;
}
