import type { ContentBlock } from '@parley/acp';
import type { DeskSession } from '@parley/host/desk';
import { at, type View } from '@parley/host/view';
import { editableText } from './draft.ts';

/** What of a session shows that a prompt has arrived. */
export interface Seen {
  readonly turns: View['turns'];
  readonly items: View['items'];
  readonly queue: DeskSession['queue'];
}

/** Whether a turn has begun or something was queued since: what was sent is where everybody sees it. */
export function hasArrived(before: Seen, now: Seen): boolean {
  if (now.turns.length > before.turns.length) return true;
  return now.queue.some(({ id }) => before.queue.every((queued) => queued.id !== id));
}

/** Whether exactly this has arrived since: nobody else's prompt is taken for it. */
export function isAmong(blocks: readonly ContentBlock[], before: Seen, now: Seen): boolean {
  const text = editableText(blocks).trim();
  if (now.queue.some((queued) => !knows(before, queued.id) && editableText(queued.blocks).trim() === text)) {
    return true;
  }
  for (let index = before.turns.length; index < now.turns.length; index += 1) {
    const turn = at(now.turns, index);
    const item = turn === undefined ? undefined : at(now.items, turn.firstItem);
    // Pieces of text that follow each other are one.
    if (item?.kind === 'message' && editableText(item.blocks).startsWith(text)) return true;
  }
  return false;
}

function knows({ queue }: Seen, id: string): boolean {
  return queue.some((queued) => queued.id === id);
}
