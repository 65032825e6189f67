import { textOf } from './blocks.ts';
import { values } from './list.ts';
import type { SessionState } from './session-state.ts';

/** How much of a prompt is used as a title. */
const titleLimit = 80;

/** What a session is called: its title, else how the first prompt begins; undefined when nothing was said yet. */
export function titleOf({ title, items }: SessionState): string | undefined {
  if (title !== undefined && title.trim() !== '') return title;
  for (const item of values(items)) {
    if (item.kind !== 'message' || item.role !== 'user') continue;
    const text = textOf(item.blocks.filter(({ type }) => type === 'text')).slice(0, titleLimit * 4);
    const words = text.replaceAll(/\s+/gu, ' ').trim();
    if (words !== '') return words.length > titleLimit ? `${words.slice(0, titleLimit - 1)}…` : words;
  }
  return undefined;
}
