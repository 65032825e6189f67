import { at, type TurnState, type SessionState } from '@parley/host/state';

/** The new index of a queued prompt that is dropped onto another one; undefined if it does not move. */
export function dropPlace(from: number, over: number, isBehind: boolean): number | undefined {
  const before = over + (isBehind ? 1 : 0);
  const to = from < before ? before - 1 : before;
  return to === from ? undefined : to;
}

/** The new index of a queued prompt one step up or down; undefined if it cannot move. */
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
