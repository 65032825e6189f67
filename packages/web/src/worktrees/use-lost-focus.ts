import { useEffect, type RefObject } from 'react';

/** Moves the focus to a heading where it was on something that went: in a list that has fewer entries now. */
export function useLostFocus(heading: RefObject<HTMLElement | null>, count: number): void {
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    // Only the number of entries matters.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [heading, count]);
}
