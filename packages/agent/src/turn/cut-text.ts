import { firstCharacters } from '../first-characters.ts';

/** The first `limitChars` of a text, with a word that there was more. */
export function cutText(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  return `${firstCharacters(text, limitChars)}\n[${String(text.length - limitChars)} more characters are left out]`;
}
