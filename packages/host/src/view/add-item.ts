import type { EventStamp } from '../event/logged-event.ts';
import type { Item, ItemBase } from './item.ts';
import { at, push, replace } from './list.ts';
import { get, set } from './table.ts';
import type { Progress, View } from './view.ts';
import { withFields } from './with-fields.ts';

/** What a new item begins with. */
export function baseOf(view: View, { seq, time }: EventStamp): ItemBase {
  const { turn } = view.progress;
  const turnId = turn === undefined ? undefined : at(view.turns, turn)?.turnId;
  return { seq, time, ...(turnId !== undefined && { turnId }) };
}

/** The view with one more item; by the id of its own it is found again. */
export function addItem(view: View, item: Item, id?: string): View {
  const added = withFields(view, { items: push(view.items, item) });
  return id === undefined ? added : withPlace(added, item.kind, id, view.items.length);
}

/** The view with another item at an index. */
export function replaceItem(view: View, index: number, item: Item): View {
  return withFields(view, { items: replace(view.items, index, item) });
}

/** Where the item of that kind and id is. */
export function placeOf(view: View, kind: Item['kind'], id: string): number | undefined {
  return get(view.progress.places, nameOf(kind, id));
}

/** The view in which an item is found by an id. */
export function withPlace(view: View, kind: Item['kind'], id: string, index: number): View {
  return withProgress(view, { places: set(view.progress.places, nameOf(kind, id), index) });
}

/** The view with some of its progress changed. */
export function withProgress(view: View, changed: Partial<Progress>): View {
  return withFields(view, { progress: withFields(view.progress, changed) });
}

/** The view in which nobody is in the middle of a message. */
export function withoutSpeaker(view: View): View {
  if (view.progress.speaking === undefined) return view;
  const { speaking: _spoken, ...progress } = view.progress;
  return withFields(view, { progress });
}

function nameOf(kind: Item['kind'], id: string): string {
  return `${kind} ${id}`;
}
