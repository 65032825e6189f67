import { at, type TurnState, type SessionState } from '@parley/host/state';

/** The turn that ended behind an item, if one did. */
export function turnEndedBehind({ items, turns }: SessionState, index: number): TurnState | undefined {
  const turnId = at(items, index)?.turnId;
  if (turnId === undefined || at(items, index + 1)?.turnId === turnId) return undefined;
  const turn = at(
    turns,
    lastBefore(turns.length, (place) => (at(turns, place)?.firstItem ?? 0) <= index),
  );
  return turn?.turnId === turnId && turn.state !== 'running' ? turn : undefined;
}

/** Maximum number of items to search for the previous speaker. */
const lookBack = 40;

/** Whether a message of the agent is its first since another speaker. */
export function beginsAnswer({ items }: SessionState, index: number): boolean {
  for (let place = index - 1; place >= Math.max(0, index - lookBack); place -= 1) {
    const item = at(items, place);
    if (item?.kind === 'tool-call') return false;
    if (item?.kind === 'message' && item.role !== 'thought') return item.role === 'user';
  }
  return index <= lookBack;
}

/** The item that an event belongs to, as far as known: the last one that started before or with it. */
export function itemOfEvent({ items }: SessionState, seq: number): number | undefined {
  const index = lastBefore(items.length, (place) => (at(items, place)?.seq ?? 0) <= seq);
  return index === -1 ? undefined : index;
}

/** The last index for which the predicate is true, given that it is true for all indexes before. */
function lastBefore(length: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
