import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { positionsAfter, positionsAfterMove, type Position } from './positions.ts';

/** Since when each card has not moved. */
export interface Steadiness {
  readonly since: (id: string) => number;
  /** Marks a card as just displayed. */
  readonly disturb: (id: string) => void;
}

/**
 * Observes the cards of a list, on the clock of `performance`. A card moves when a card before it is added, removed
 * or resized, or when it is resized itself.
 *
 * @param ids The cards in the list, from the top.
 */
export function useSteadiness(ids: readonly string[], list: RefObject<HTMLElement | null>): Steadiness {
  const positions = useRef<ReadonlyMap<string, Position>>(new Map());
  useLayoutEffect(() => {
    positions.current = positionsAfter(positions.current, ids, performance.now());
  });
  const disturb = useCallback((id: string) => {
    positions.current = positionsAfterMove(positions.current, [id], performance.now());
  }, []);

  const sizes = useRef(new WeakMap<Element, string>());
  const shown = ids.join('\n');
  useEffect(() => {
    const observer = new ResizeObserver((entries) => {
      const moved = entries.flatMap(({ target, borderBoxSize: [size] }) => {
        const now = size === undefined ? '' : `${size.inlineSize} ${size.blockSize}`;
        const isMoved = sizes.current.get(target) !== now;
        sizes.current.set(target, now);
        const id = target instanceof HTMLElement ? target.dataset['question'] : undefined;
        return isMoved && id !== undefined ? [id] : [];
      });
      const order = [...positions.current.keys()];
      const first = Math.min(...moved.map((id) => order.indexOf(id)).filter((index) => index >= 0));
      positions.current = positionsAfterMove(positions.current, order.slice(first), performance.now());
    });
    const watched = new Set(shown.split('\n'));
    for (const card of list.current?.querySelectorAll('article') ?? []) {
      if (watched.has(card.dataset['question'] ?? '')) observer.observe(card);
    }
    return () => observer.disconnect();
  }, [list, shown]);

  const since = useCallback((id: string) => positions.current.get(id)?.since ?? performance.now(), []);
  return { since, disturb };
}
