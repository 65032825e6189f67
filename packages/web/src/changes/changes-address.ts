import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Whether the changes panel of a session is open, and whether it shows the whole session or one turn. */
export interface ChangesAddress {
  readonly isOpen: boolean;
  /** @default the whole session */
  readonly turn: number | undefined;
  readonly show: (turn?: number) => void;
  readonly close: () => void;
}

/** The changes that the address of the page names: `?changes`, `?changes=3`. */
export function useChangesAddress(): ChangesAddress {
  const [path, go] = useLocation();
  const wanted = new URLSearchParams(useSearch()).get('changes');
  const turn = wanted !== null && /^[1-9]\d{0,8}$/u.test(wanted) ? Number(wanted) : undefined;
  const show = useCallback(
    (shown?: number) => go(`${path}?${changesQuery(shown)}${location.hash}`),
    [path, go],
  );
  const close = useCallback(() => go(`${path}${location.hash}`), [path, go]);
  return useMemo(() => ({ isOpen: wanted !== null, turn, show, close }), [wanted, turn, show, close]);
}

function changesQuery(turn: number | undefined): string {
  return turn === undefined ? 'changes' : `changes=${String(turn)}`;
}
