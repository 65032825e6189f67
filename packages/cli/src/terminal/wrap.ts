import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** How many columns a text takes: two for each of Chinese, Japanese, Korean and emoji, none for colours. */
export function columnsOf(text: string): number {
  return /^[ -~]*$/u.test(text) ? text.length : stringWidth(text);
}

/** What stands at the beginning of a line, and keeps its room in the rows below: colours, spaces, the mark of a list. */
const lineStart = /^((?:\u001b\[[\d;]*m)*)( *(?:[•>+│-] |\d{1,3}[.)] )?)/u;

/** A line in rows that fit, broken between words where that is possible; rows below the first are indented as it is. */
export function wrapLine(line: string, columns: number): readonly string[] {
  const text = line.replaceAll('\t', '    ');
  if (columnsOf(text) <= columns) return [text];
  const [start = '', colours = '', mark = ''] = lineStart.exec(text) ?? [];
  const indentation = ' '.repeat(columnsOf(mark) > columns / 2 ? 0 : columnsOf(mark));
  const rest = colours + text.slice(start.length);
  const rows = wrapAnsi(rest, Math.max(1, columns - columnsOf(mark)), { hard: true, trim: true }).split('\n');
  return rows.map((row, index) => `${index === 0 ? mark : indentation}${row}`);
}
