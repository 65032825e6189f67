import { useCallback, useRef } from 'react';
import { newer, older, type HistoryPlace } from '../draft/prompt-history.ts';
import { isOnFirstRow, isOnLastRow } from './field-text.ts';
import type { Written } from './use-written.ts';

/** Recalls earlier prompts. */
export interface Recall {
  /** @returns whether the key has brought another prompt */
  readonly steer: (key: string) => boolean;
  /** What is written now is something new. */
  readonly end: () => void;
}

/** Brings prompts back that were sent before, by ArrowUp on the first row and ArrowDown on the last. */
export function useRecall(
  { field, hand }: Pick<Written, 'field' | 'hand'>,
  history: (() => readonly string[]) | undefined,
): Recall {
  const place = useRef<HistoryPlace>(undefined);
  const show = useCallback(
    (text: string, isAtStart: boolean) => {
      hand.insert(text, { from: 0, to: hand.read().text.length });
      if (isAtStart) field.current?.setSelectionRange(0, 0);
    },
    [field, hand],
  );
  const steer = useCallback(
    (key: string) => {
      if (field.current === null || history === undefined) return false;
      if (key === 'ArrowUp' && isOnFirstRow(field.current)) {
        const next = older(place.current, hand.read().text, history);
        if (next === undefined) return false;
        place.current = next;
        show(next.entries[next.index] ?? '', true);
        return true;
      }
      if (key !== 'ArrowDown' || place.current === undefined || !isOnLastRow(field.current)) return false;
      const next = newer(place.current);
      place.current = next.place;
      show(next.text, false);
      return true;
    },
    [field, hand, history, show],
  );
  const end = useCallback(() => {
    place.current = undefined;
  }, []);
  return { steer, end };
}
