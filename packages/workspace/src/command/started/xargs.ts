import type { CommandWord } from '../command-part.ts';

/**
 * Returns the command of `xargs` with its input: after its words, or in place of a placeholder (`-I {}`).
 *
 * @param words All words, from `xargs` on.
 * @param inner The words of the command that it starts.
 */
export function withReadWords(
  words: readonly CommandWord[],
  inner: readonly CommandWord[],
  read: readonly CommandWord[],
): readonly CommandWord[] {
  const place = placeOf(words);
  if (place === undefined) return [...inner, ...read];
  return inner.flatMap((word) =>
    word.text.includes(place)
      ? read.map(({ text, isLiteral }) => ({
          text: word.text.replaceAll(place, () => text),
          isLiteral: word.isLiteral && isLiteral,
        }))
      : [word],
  );
}

/** The number of characters that `withReadWords` would return. */
export function readCharacters(
  words: readonly CommandWord[],
  inner: readonly CommandWord[],
  read: readonly CommandWord[],
): number {
  const place = placeOf(words);
  const each = read.reduce((sum, { text }) => sum + text.length + 1, 0);
  if (place === undefined) return each;
  return inner.reduce((sum, { text }) => {
    const count = text.split(place).length - 1;
    return sum + count * each + (count > 0 ? read.length * text.length : 0);
  }, 0);
}

/** The placeholder in the command for the words that are read. */
function placeOf(words: readonly CommandWord[]): string | undefined {
  for (const [index, { text }] of words.entries()) {
    if (text === '-I') return words[index + 1]?.text;
    const [, place] = /^(?:-I|-i|--replace=?)(.*)$/su.exec(text) ?? [];
    if (place !== undefined) return place === '' ? '{}' : place;
  }
  return undefined;
}
