import type { EventStamp } from '../../event/logged-event.ts';
import { copyState, withState } from '../copy-state.ts';
import { push, replace } from '../list.ts';
import { runningTurn } from '../session-facts.ts';
import type { Progress, SessionState } from '../session-state.ts';
import { get, set } from '../table.ts';
import type { Item, ItemBase } from './item.ts';

/** The fields that every new item has. */
export function baseOf(state: SessionState, { seq, time }: EventStamp): ItemBase {
  const turnId = runningTurn(state)?.turnId;
  return { seq, time, ...(turnId !== undefined && { turnId }) };
}

/** The state with one more item; by the id of its own it is found again. */
export function addItem(state: SessionState, item: Item, id?: string): SessionState {
  const added = copyState(state);
  added.items = push(state.items, item);
  return id === undefined ? added : withPlace(added, item.kind, id, state.items.length);
}

/** The state with another item at an index. */
export function replaceItem(state: SessionState, index: number, item: Item): SessionState {
  const changed = copyState(state);
  changed.items = replace(state.items, index, item);
  return changed;
}

/** Where the item of that kind and id is. */
export function placeOf(state: SessionState, kind: Item['kind'], id: string): number | undefined {
  return get(state.progress.places, nameOf(kind, id));
}

/** The state in which an item is found by an id. */
export function withPlace(state: SessionState, kind: Item['kind'], id: string, index: number): SessionState {
  return withProgress(state, { places: set(state.progress.places, nameOf(kind, id), index) });
}

/** The state with some of its progress changed. */
export function withProgress(state: SessionState, changed: Partial<Progress>): SessionState {
  return withState(state, { progress: { ...state.progress, ...changed } });
}

/** The state in which no message is being streamed. */
export function withoutSpeaker(state: SessionState): SessionState {
  if (state.progress.speaking === undefined) return state;
  const { speaking: _spoken, ...progress } = state.progress;
  return withState(state, { progress });
}

function nameOf(kind: Item['kind'], id: string): string {
  return `${kind} ${id}`;
}
