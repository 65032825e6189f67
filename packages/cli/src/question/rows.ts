import { spell, type HonestText } from '@parley/host/state';
import type { Style } from '../output/style.ts';
import type { Extent } from '../output/tool-call-text.ts';
import { continuation, wrapLine } from './wrapped-rows.ts';

/** Where a question is shown. */
export interface Screen {
  readonly style: Style;
  /** How many columns it has. */
  readonly columns: number;
}

/** A part of a question, line by line. */
export interface Block {
  readonly lines: readonly Line[];
  /** How many rows of it are shown at first. */
  readonly limit: number;
  /** Something is left out of these lines, and said there. */
  readonly isCut?: boolean;
}

/** A line of honest text. Only what stands before it is ours to choose: no text can imitate it. */
export interface Line {
  readonly before: string;
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Rows as they are written, and whether some are left out. */
export interface Rows {
  readonly rows: readonly string[];
  readonly isCut: boolean;
}

/** Blocks as rows: wrapped, and with a word where some are left out. */
export function toRows(
  blocks: readonly Block[],
  { style, columns }: Screen,
  extent: Extent,
  indentation: string,
): Rows {
  let isCut = blocks.some((block) => block.isCut === true);
  const rows = blocks.flatMap(({ lines, limit }) => {
    const all = lines.flatMap((line) => toLineRows(line, columns - indentation.length, style));
    // A word that takes the place of one row says less than the row.
    if (extent === 'whole' || all.length <= limit + 1) return all;
    isCut = true;
    const left = `… ${String(all.length - limit)} more lines: press w to show all of it`;
    return [...all.slice(0, limit), style.bold(left)];
  });
  return { rows: rows.map((row) => `${indentation}${row}`), isCut };
}

/** How narrow the text of a row may become. */
const minWidth = 16;

function toLineRows({ before, text, paint = asIs }: Line, columns: number, style: Style): readonly string[] {
  // The mark of a continued row may be wider than the text before the first row.
  const width = Math.max(minWidth, columns - Math.max(before.length + 1, continuation.length));
  const [first = '', ...others] = wrapLine(text, width);
  const indentation = ' '.repeat(Math.max(0, before.length - continuation.length));
  return [
    `${paint(before)}${painted(first, paint, style)}`,
    ...others.map((row) => `${indentation}${style.dim(continuation)}${painted(row, paint, style)}`),
  ];
}

/** What is written out stands out. */
function painted(row: string, paint: (text: string) => string, style: Style): string {
  return row
    .split(/(⟨[^⟩]*⟩?)/u)
    .map((piece) => (piece.startsWith('⟨') ? style.red(piece) : paint(piece)))
    .join('');
}

function asIs(text: string): string {
  return text;
}

/** The lines of a text, each behind the same mark, the first behind another. */
export function textLines(
  text: string,
  first: string,
  others: string,
  paint?: Line['paint'],
): readonly Line[] {
  return text.split('\n').map((line, index) => ({
    before: index === 0 ? first : others,
    text: line,
    ...(paint !== undefined && { paint }),
  }));
}

/** A line break in what is one line is written out as well. */
export function oneLine(text: HonestText): string {
  return spell(text).replaceAll('\n', '⟨U+000A⟩');
}
