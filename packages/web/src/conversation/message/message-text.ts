import type { MessageItem } from '@parley/host/state';

/** The text of a message. */
export function messageText({ blocks }: Pick<MessageItem, 'blocks'>): string {
  return blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n\n');
}

/** Displayed characters of a single-line text. */
const longestLine = 200;

/** One line of a text, without marks of Markdown: the first, or while it is being written the last. */
export function firstLine(text: string, isOpen: boolean): string {
  const part = isOpen ? text.trimEnd().slice(-1000) : text.trimStart().slice(0, 1000);
  const lines = part.split('\n').filter((line) => line.trim() !== '');
  const line = (isOpen ? lines.at(-1) : lines[0]) ?? '';
  return line
    .replace(/^[\s#>*-]+/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim()
    .slice(0, longestLine);
}
