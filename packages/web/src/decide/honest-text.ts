/** A piece of a text on which somebody decides. */
export type HonestPiece =
  | { readonly kind: 'plain'; readonly text: string }
  /** Characters that cannot be seen, or that change how others are: by their code. */
  | { readonly kind: 'hidden'; readonly text: string }
  /** A word with letters of several scripts that look like each other. */
  | { readonly kind: 'lookalike'; readonly text: string };

/** A text in which nothing hides: what cannot be seen is a piece of its own. The pieces together hold all of it. */
export function toHonestPieces(text: string): readonly HonestPiece[] {
  const pieces: HonestPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(remarkable)) {
    const before = text.slice(end, index);
    if (before !== '') pieces.push({ kind: 'plain', text: before });
    pieces.push(hidden.test(found) ? { kind: 'hidden', text: toCode(found) } : toWord(found));
    end = index + found.length;
  }
  if (end < text.length) pieces.push({ kind: 'plain', text: text.slice(end) });
  return pieces;
}

/** The same, as one text. */
export function toHonestText(text: string): string {
  return toHonestPieces(text)
    .map((piece) => piece.text)
    .join('');
}

/** The same in one line, for lists: cut where it is long. */
export function toHonestLine(text: string, limit = 160): string {
  const line = toHonestText(text.slice(0, limit * 4))
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

// Controls but newline and tab; formatting characters (bidirectional overrides, zero width, tags); separators that are
// no plain space; lone surrogates, private and unassigned ones; letters and signs that are blank; variation selectors,
// but for the one that an emoji is followed by.
const hiddenCharacter =
  '(?![\\n\\t ]|(?<=\\p{Extended_Pictographic})\\ufe0f)(?:[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Zs}\\p{Cs}\\p{Co}\\p{Cn}]|[\\u115f\\u1160\\u3164\\uffa0\\u2800\\u034f]|\\p{Variation_Selector})';

const hidden = new RegExp(`^${hiddenCharacter}$`, 'u');

// Of the scripts with many letters that look Latin.
const word =
  '(?=\\p{L}*\\p{Script=Latin})(?=\\p{L}*[\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}])\\p{L}+';

const remarkable = new RegExp(`${hiddenCharacter}|(?<!\\p{L})${word}`, 'gu');

function toCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code}`;
}

function toWord(text: string): HonestPiece {
  return { kind: 'lookalike', text };
}
