import { useCallback, useLayoutEffect, useRef } from 'react';
import { placesAfter, type Place } from './places-after.ts';

/** Since when each card stands where it stands, on the clock of `performance`; what moves it is before it in the list. */
export function useSteadiness(ids: readonly string[]): {
  readonly since: (id: string) => number;
  /** It has just come to somebody's attention. */
  readonly disturb: (id: string) => void;
} {
  const places = useRef<ReadonlyMap<string, Place>>(new Map());
  useLayoutEffect(() => {
    places.current = placesAfter(places.current, ids, performance.now());
  });
  const since = useCallback((id: string) => places.current.get(id)?.since ?? performance.now(), []);
  const disturb = useCallback((id: string) => {
    const place = places.current.get(id);
    if (place === undefined) return;
    places.current = new Map(places.current).set(id, { ...place, since: performance.now() });
  }, []);
  return { since, disturb };
}
