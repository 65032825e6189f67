import { firstCharacters } from '../../first-characters.ts';

/** A title for a tool call: one line, not too long. */
export function toTitle(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > 120 ? `${firstCharacters(line, 119)}…` : line;
}
