import type { Style } from '../output/style.ts';
import { columnsOf, wrapLine } from '../terminal/wrap.ts';
import { renderInline } from './inline.ts';

/** Whether a line divides the head of a table from its rows. */
export function isDivider(line: string): boolean {
  return /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u.test(line) && line.includes('|');
}

/** The cells of a row. */
export function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/u, '')
    .replace(/(?<!\\)\|$/u, '');
  return inner.split(/(?<!\\)\|/u).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

/** A table in rows that fit; undefined where it has more columns than fit. Its lines: head, divider, rows. */
export function renderTable(
  lines: readonly string[],
  columns: number,
  style: Style,
): readonly string[] | undefined {
  const [head = '', divider = '', ...body] = lines;
  const alignments = cellsOf(divider).map(alignmentOf);
  const table = [head, ...body].map((line) => {
    const cells = cellsOf(line);
    return alignments.map((_, column) => renderInline(cells[column] ?? '', style));
  });
  const widths = fittingWidths(
    alignments.map((_, column) => Math.max(1, ...table.map((row) => columnsOf(row[column] ?? '')))),
    columns - gap.length * (alignments.length - 1),
  );
  if (widths === undefined) return undefined;
  const rows = table.map((row) => rowLines(row, widths, alignments));
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─');
  const [first = [], ...others] = rows;
  return [...first.map(style.bold), style.dim(rule), ...others.flat()];
}

const gap = ' │ ';

/** Narrower than this, a column cannot be read. */
const minWidth = 4;

type Alignment = 'left' | 'right' | 'centre';

function alignmentOf(cell: string): Alignment {
  if (!cell.endsWith(':')) return 'left';
  return cell.startsWith(':') ? 'centre' : 'right';
}

/** The widest columns give way first. */
function fittingWidths(natural: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...natural];
  for (let total = sum(widths); total > room; total -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= minWidth) return undefined;
    widths[widest] = width - 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function rowLines(
  cells: readonly string[],
  widths: readonly number[],
  alignments: readonly Alignment[],
): readonly string[] {
  const wrapped = widths.map((width, column) => wrapLine(cells[column] ?? '', width));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    widths
      .map((width, column) => align(wrapped[column]?.[index] ?? '', width, alignments[column] ?? 'left'))
      .join(gap)
      .trimEnd(),
  );
}

function align(text: string, width: number, alignment: Alignment): string {
  const room = Math.max(0, width - columnsOf(text));
  const before = alignment === 'left' ? 0 : alignment === 'right' ? room : Math.floor(room / 2);
  return ' '.repeat(before) + text + ' '.repeat(room - before);
}
