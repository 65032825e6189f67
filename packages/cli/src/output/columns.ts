import { columnsOf } from '../terminal/wrap.ts';

/** Rows in aligned columns, two spaces apart; the last column is as wide as its text. */
export function toColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, columnsOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** A line that fits on a terminal: its end gives way to a sign where it is wider. */
export function cutToColumns(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  let cut = '';
  for (const character of line) {
    if (columnsOf(cut + character) >= columns) break;
    cut += character;
  }
  return `${cut}…`;
}
