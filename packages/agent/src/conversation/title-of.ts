import type { ContentBlock } from '@parley/acp';
import { firstCharacters } from '../first-characters.ts';

/** Characters of a title. */
const titleChars = 80;

/** What a conversation is called after its first prompt: the first line with something in it, cut. */
export function titleOf(prompt: readonly ContentBlock[]): string | undefined {
  for (const block of prompt) {
    if (block.type !== 'text') continue;
    // Not all of a text that may be long: a title needs little of it.
    const beginning = firstCharacters(block.text.trimStart(), 10 * titleChars);
    const line = (beginning.split(/[\r\n]/u, 1)[0] ?? '').replace(/\s+/gu, ' ').trim();
    if (line === '') continue;
    return line.length > titleChars ? `${firstCharacters(line, titleChars - 1)}…` : line;
  }
  return undefined;
}
