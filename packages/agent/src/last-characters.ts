/** The end of a text, at most so many UTF-16 units, and no half character. */
export function lastCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(text.length - limit).replace(/^[\uDC00-\uDFFF]/u, '');
}
