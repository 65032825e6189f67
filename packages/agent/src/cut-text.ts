import { firstCharacters } from './first-characters.ts';

/** Beginning and end of a text, half of the limit each; a line between them says how much is left out. */
export function cutText(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  const head = firstCharacters(text, Math.ceil(limitChars / 2));
  const tail = lastCharacters(text, Math.floor(limitChars / 2));
  const gap = `[${String(text.length - head.length - tail.length)} characters are left out here]`;
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${gap}\n${tail}`;
}

function lastCharacters(text: string, limit: number): string {
  return text.slice(text.length - limit).replace(/^[\uDC00-\uDFFF]/u, '');
}
