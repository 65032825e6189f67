import type { CursorPosition } from './live-screen.ts';
import { columnsOf } from './wrap.ts';

/** A text that is being typed, as rows of a screen. */
export interface InputRows {
  readonly rows: readonly string[];
  readonly cursor: CursorPosition;
}

/** How a text is laid out. */
export interface InputLayout {
  /** What stands before the first row; the others are indented as far. */
  readonly prompt: string;
  readonly columns: number;
  /** How many rows are shown: those around the cursor. */
  readonly maxRows: number;
  /** Whether the input is a secret: neither its characters nor its length are displayed. @default false */
  readonly isHidden?: boolean;
}

/** Lays out a text around its cursor: words stay whole where that is possible, wide characters take two columns. */
export function toInputRows(text: string, cursor: number, layout: InputLayout): InputRows {
  const { prompt, columns, maxRows, isHidden = false } = layout;
  if (isHidden) return { rows: [prompt], cursor: { row: 0, column: columnsOf(prompt) } };
  const indentation = columnsOf(prompt);
  const width = Math.max(8, columns - indentation - 1);
  // What is far from the cursor is not laid out.
  const room = width * maxRows;
  const from = lineStart(text, cursor, room);
  const upTo = Math.min(text.length, cursor + room);
  const rows: Row[] = [];
  let at = from;
  for (const line of text.slice(from, upTo).split('\n')) {
    rows.push(...wrapText(line, at, width));
    at += line.length + 1;
  }
  const cursorRow = Math.max(
    0,
    rows.findLastIndex(({ start }) => start <= cursor),
  );
  const first = Math.max(0, Math.min(cursorRow - Math.floor(maxRows / 2), rows.length - maxRows));
  const { text: rowText = '', start = 0 } = rows[cursorRow] ?? {};
  const column = columnsOf(toShown(rowText.slice(0, cursor - start)));
  return {
    rows: rows
      .slice(first, first + maxRows)
      .map(
        (row, index) =>
          `${first + index === 0 && from === 0 ? prompt : ' '.repeat(indentation)}${toShown(row.text)}`,
      ),
    cursor: { row: cursorRow - first, column: indentation + column },
  };
}

interface Row {
  readonly text: string;
  readonly start: number;
}

function lineStart(text: string, cursor: number, room: number): number {
  if (cursor <= room) return 0;
  const before = text.lastIndexOf('\n', cursor - room);
  return before === -1 ? cursor - room : before + 1;
}

function wrapText(line: string, at: number, width: number): readonly Row[] {
  const rows: Row[] = [];
  let start = 0;
  let used = 0;
  /** Behind the last space of the row. */
  let word = 0;
  for (const { segment, index } of segmenter.segment(line)) {
    const wide = columnsOf(toShown(segment));
    if (used + wide > width && segment !== ' ') {
      const end = word > start ? word : index;
      rows.push({ text: line.slice(start, end), start: at + start });
      start = end;
      used = columnsOf(toShown(line.slice(start, index)));
    }
    used += wide;
    if (segment === ' ') word = index + 1;
  }
  return [...rows, { text: line.slice(start), start: at + start }];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function toShown(text: string): string {
  return text.replaceAll('\t', '    ');
}
