import { at, type SessionState } from '@parley/host/state';
import { recalledPrompts } from '../limits.ts';
import { editableText } from './draft.ts';

/** Where one is in the prompts that were sent before. */
export interface HistoryPlace {
  /** The newest first. */
  readonly entries: readonly string[];
  /** The index of the displayed prompt. */
  readonly index: number;
  /** What was being written before. */
  readonly draft: string;
}

/** The texts of the prompts of a session, the newest first, and each once. */
export function sentPrompts({ turns, items }: SessionState): readonly string[] {
  const texts = new Set<string>();
  for (let index = turns.length - 1; index >= 0 && texts.size < recalledPrompts; index -= 1) {
    const turn = at(turns, index);
    const item = turn === undefined ? undefined : at(items, turn.firstItem);
    if (item?.kind !== 'message' || item.role !== 'user') continue;
    const text = editableText(item.blocks).trim();
    if (text !== '') texts.add(text);
  }
  return [...texts];
}

/** The index of the previous prompt; undefined if there is none. */
export function older(
  place: HistoryPlace | undefined,
  draft: string,
  entries: () => readonly string[],
): HistoryPlace | undefined {
  const next =
    place === undefined ? { entries: entries(), index: 0, draft } : { ...place, index: place.index + 1 };
  return next.index < next.entries.length ? next : undefined;
}

/** The text after the one that is shown, and its place; without a place it is what was being written. */
export function newer(place: HistoryPlace): { readonly text: string; readonly place?: HistoryPlace } {
  const index = place.index - 1;
  const text = place.entries[index];
  return text === undefined ? { text: place.draft } : { text, place: { ...place, index } };
}
