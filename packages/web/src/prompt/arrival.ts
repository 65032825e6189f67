import type { HubSession } from '@parley/host/hub';
import { at, type SessionState } from '@parley/host/state';
import { editableText } from '../draft/draft.ts';

/** What of a session shows that a prompt has arrived. */
export interface Seen {
  readonly turns: SessionState['turns'];
  readonly items: SessionState['items'];
  readonly queue: HubSession['queue'];
}

/** Whether a turn has started or a prompt was queued since: every client can then see what was sent. */
export function hasArrived(before: Seen, now: Seen): boolean {
  if (now.turns.length > before.turns.length) return true;
  return now.queue.some(({ id }) => before.queue.every((queued) => queued.id !== id));
}

/** Whether this text is queued, or has started a turn after the given number of turns. */
export function isAmong(text: string, turnsBefore: number, { turns, items, queue }: Seen): boolean {
  const wanted = text.trim();
  if (queue.some(({ blocks }) => editableText(blocks).trim() === wanted)) return true;
  for (let index = turnsBefore; index < turns.length; index += 1) {
    const turn = at(turns, index);
    const item = turn === undefined ? undefined : at(items, turn.firstItem);
    // Pieces of text that follow each other are one.
    if (item?.kind === 'message' && editableText(item.blocks).startsWith(wanted)) return true;
  }
  return false;
}
