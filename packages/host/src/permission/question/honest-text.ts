/** A piece of a text on which a user decides. The `text` fields of all pieces together are the complete text. */
export type HonestPiece =
  | { readonly kind: 'plain'; readonly text: string }
  /** A character that cannot be seen, or that changes how others are shown. It is written as its code. */
  | { readonly kind: 'hidden'; readonly text: string; readonly code: string }
  /** A word or sign that looks like another one, with the codes of the characters that do. */
  | { readonly kind: 'lookalike'; readonly text: string; readonly codes: readonly string[] }
  /** A right-to-left word. It must not change the order of the text around it. */
  | { readonly kind: 'right-to-left'; readonly text: string }
  /** Blanks that would push what follows out of sight. They are counted. */
  | { readonly kind: 'gap'; readonly text: string; readonly gap: Gap };

/** A text in which nothing hides. */
export type HonestText = readonly HonestPiece[];

/** A long run of blank space. */
export interface Gap {
  readonly lines: number;
  readonly spaces: number;
  readonly tabs: number;
}

/** Says how large a gap is, in the language of the interface. */
export type GapWords = (gap: Gap) => string;

/** Splits a text into pieces that can be shown as they are, and characters that must be written out. */
export function toHonestPieces(text: string): HonestText {
  if (text === '') return [];
  if (unremarkable.test(text)) return [{ kind: 'plain', text }];
  const pieces: HonestPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(remarkable)) {
    pushWords(pieces, text.slice(end, index));
    pieces.push(toPiece(found));
    end = index + found.length;
  }
  pushWords(pieces, text.slice(end));
  return pieces;
}

/**
 * The text as one string, for output without formatting. Characters that are not plain are written in angle brackets
 * (`⟨U+202E⟩`). A text cannot imitate this, because its own opening brackets are written out too.
 */
export function toHonestText(text: string, gapWords?: GapWords): string {
  return spell(toHonestPieces(text), gapWords);
}

/** Pieces as one string, in the notation of {@link toHonestText}. */
export function spell(pieces: HonestText, gapWords: GapWords = gapText): string {
  return pieces.map((piece) => spellPiece(piece, gapWords)).join('');
}

/** The same in one line, for lists. A line that is cut says how much is missing. */
export function toHonestLine(text: string, limit = 160): string {
  const start = text.slice(0, limit * 4);
  const line = toHonestText(start).replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= limit && start.length === text.length) return line;
  const shown = line.slice(0, limit - 1).replace(/⟨[^⟩]*$/u, '');
  return `${shown}…`;
}

/** How large a gap is, in English. */
export function gapText({ lines, spaces, tabs }: Gap): string {
  const counted = [
    ...(lines > 0 ? [lines === 1 ? '1 empty line' : `${String(lines)} empty lines`] : []),
    ...(spaces > 0 ? [spaces === 1 ? '1 space' : `${String(spaces)} spaces`] : []),
    ...(tabs > 0 ? [tabs === 1 ? '1 tab' : `${String(tabs)} tabs`] : []),
  ];
  return counted.join(', ');
}

function spellPiece(piece: HonestPiece, gapWords: GapWords): string {
  switch (piece.kind) {
    case 'plain':
    case 'right-to-left':
      return piece.text;
    case 'hidden':
      return `⟨${piece.code}⟩`;
    case 'lookalike':
      return `${piece.text}⟨≈${piece.codes.join(' ')}⟩`;
    case 'gap': {
      const note = `⟨${gapWords(piece.gap)}⟩`;
      // Empty lines stand between lines; blanks within one.
      if (piece.gap.lines === 0) return note;
      return `${piece.text.startsWith('\n') ? '\n' : ''}${note}\n`;
    }
  }
}

/** Printable ASCII in lines, without a gap: most texts. */
const unremarkable = /^(?:[!-~]|\n(?!(?:[ \t]*\n){4})|[ \t](?![ \t]{32}))*$/u;

// More than three empty lines; more than 32 blanks in a row.
const gap = '(?:^|\\n)(?:[ \\t]*\\n){4,}|[ \\t]{33,}';

// Controls but newline and tab; formatting characters (bidirectional overrides, zero width, tags) and others that are not
// to be shown; separators that are no plain space; lone surrogates, private and unassigned ones; letters and signs that are
// blank; variation selectors, but for the one that an emoji is followed by; the bracket that we write ourselves.
const hiddenCharacter =
  '(?![\\n\\t ]|(?<=\\p{Extended_Pictographic})\\ufe0f)(?:[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Zs}\\p{Cs}\\p{Co}\\p{Cn}\\p{Default_Ignorable_Code_Point}]|[\\u2800\\ufffc\\u{1d159}\\u{13441}\\u{13442}\\u27e8]|\\p{Variation_Selector})';

// A mark that is drawn over something else: after a letter a few are usual, elsewhere none is.
const strayMark = '(?<!\\p{L}\\p{M}{0,3})(?!\\ufe0f)\\p{M}';

// Signs that look like those of commands, paths and addresses, but for those that are usual in prose.
const likeSign =
  '[\\u2044\\u2215\\u29f8\\u2571\\uff0f\\u2216\\u29f5\\u29f9\\ufe68\\uff3c\\u2024\\uff0e\\u2010-\\u2012\\u2212\\u02d7\\uff0d\\u2236\\u02d0\\ua789\\u02f8\\u01c3\\u01c0\\u2223\\u2758\\uff5c\\u037e\\u204f\\u02cb\\u02ca\\u02c8\\u2032\\u2035\\uff02\\uff07\\uff40\\uff04\\uff06\\uff0a\\uff1c\\uff1e\\uff1d\\uff20\\uff03]';

const remarkable = new RegExp(`${gap}|${hiddenCharacter}|${strayMark}|${likeSign}`, 'gu');

const isGap = /^[ \t\n]+$/u;
const isLikeSign = new RegExp(`^${likeSign}$`, 'u');

function toPiece(found: string): HonestPiece {
  if (isGap.test(found)) return toGap(found);
  if (isLikeSign.test(found)) return { kind: 'lookalike', text: found, codes: [toCode(found)] };
  return { kind: 'hidden', text: found, code: toCode(found) };
}

function toGap(text: string): HonestPiece {
  const newlines = count(text, '\n');
  const lines = text.startsWith('\n') ? newlines - 1 : newlines;
  return { kind: 'gap', text, gap: { lines, spaces: count(text, ' '), tabs: count(text, '\t') } };
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function toCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code}`;
}

const rightToLeft =
  '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Samaritan}\\p{Script=Mandaic}\\p{Script=Adlam}\\p{Script=Hanifi_Rohingya}\\p{Script=Mende_Kikakui}';

// Scripts with letters that look Latin, and the Latin letters and digits that Unicode has a second time.
const foreign =
  '\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Coptic}\\p{Script=Lisu}';
const doubled = '\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}\\u0251\\u0261\\u0269';
const inWord = '[\\p{L}\\p{N}\\p{M}_]';

const remarkableWord = new RegExp(
  `(?:[${rightToLeft}]\\p{M}*)+|(?<!${inWord})${inWord}*[${foreign}${doubled}]${inWord}*`,
  'gu',
);
const isRightToLeft = new RegExp(`^[${rightToLeft}]`, 'u');
const foreignLetter = new RegExp(`[${foreign}${doubled}]`, 'gu');
const doubledLetter = new RegExp(`[${doubled}]`, 'u');
const plainLetter = /[A-Za-z]/u;

// Cyrillic, Greek, Armenian and Cherokee letters that look like a Latin one on their own.
const alike =
  /^[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u04cf\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408\u04c0\u03bf\u03bd\u03c1\u03c5\u03b9\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03f2\u0585\u057d\u0578\u0570\u0581\u13aa\u13a1\u13d4\u13a2\u13aa\u13ac\u13bb\u13de\u13df\u13e2\u13f4\u13c2]$/u;

/** The words of a text without hidden characters. */
function pushWords(pieces: HonestPiece[], text: string): void {
  let end = 0;
  for (const { 0: found, index } of text.matchAll(remarkableWord)) {
    const piece = toWord(found);
    if (piece === undefined) continue;
    if (index > end) pieces.push({ kind: 'plain', text: text.slice(end, index) });
    pieces.push(piece);
    end = index + found.length;
  }
  if (end < text.length) pieces.push({ kind: 'plain', text: text.slice(end) });
}

/** A word of one script is only suspicious where each of its letters could be a Latin one. */
function toWord(text: string): HonestPiece | undefined {
  if (isRightToLeft.test(text)) return { kind: 'right-to-left', text };
  const letters = text.match(foreignLetter) ?? [];
  const isMixed = plainLetter.test(text) || doubledLetter.test(text);
  const isAllAlike = letters.length > 1 && letters.every((letter) => alike.test(letter));
  const hasOthers = (text.match(/\p{L}/gu)?.length ?? 0) > letters.length;
  if (!isMixed && (hasOthers || !isAllAlike)) return undefined;
  return { kind: 'lookalike', text, codes: [...new Set(letters.map(toCode))] };
}
