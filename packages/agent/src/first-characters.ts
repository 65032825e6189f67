/** The beginning of a text, at most so many UTF-16 units, and no half character. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, limit).replace(/[\uD800-\uDBFF]$/u, '');
}
