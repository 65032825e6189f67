import { at, type TurnState, type SessionState } from '@parley/host/state';

/** Where a queued prompt goes when it is dragged onto another one; undefined when it stays where it is. */
export function dropPlace(from: number, over: number, isBehind: boolean): number | undefined {
  const before = over + (isBehind ? 1 : 0);
  const to = from < before ? before - 1 : before;
  return to === from ? undefined : to;
}

/** Where a queued prompt goes one step up or down; undefined where it cannot. */
export function stepPlace(from: number, step: -1 | 1, length: number): number | undefined {
  const to = from + step;
  return to >= 0 && to < length ? to : undefined;
}

/** Why a queue waits for the user. */
export type HeldReason =
  | { readonly why: 'cancelled' }
  | { readonly why: 'failed'; readonly message: string }
  /** Parley was ended in the middle, or started again. */
  | { readonly why: 'interrupted' };

/** Why a queue is held, from how the last turn ended. */
export function heldReason({ turns }: Pick<SessionState, 'turns'>): HeldReason {
  const last: TurnState | undefined = at(turns, turns.length - 1);
  if (last?.error !== undefined) return { why: 'failed', message: last.error.message };
  if (last?.stopReason === 'cancelled') return { why: 'cancelled' };
  return { why: 'interrupted' };
}
