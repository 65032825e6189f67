import { columnsOf } from './wrap.ts';

/** What stands on a terminal after this was written, without colours and the empty rows at its end. */
export function drawnOn(written: string, columns: number): readonly string[] {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  const cells = (): string[] => (rows[row] ??= []);
  const put = (character: string, wide: number): void => {
    if (column + wide > columns) {
      row += 1;
      column = 0;
    }
    const line = cells();
    while (line.length < column) line.push(' ');
    line.splice(column, wide, character, ...Array.from({ length: wide - 1 }, () => ''));
    column += wide;
  };
  for (const [token] of written.matchAll(/\u001b\[[?\d;]*[A-Za-z]|\r|\n|[\s\S]/gu)) {
    const [, count = '', letter = ''] = /^\u001b\[([?\d;]*)([A-Za-z])$/u.exec(token) ?? [];
    const steps = Number(count === '' ? 1 : count);
    if (token === '\r') column = 0;
    else if (token === '\n') row += 1;
    else if (letter === 'A') row -= steps;
    else if (letter === 'B') row += steps;
    else if (letter === 'C') column += steps;
    else if (letter === 'K') cells().length = Math.min(cells().length, column);
    else if (letter === 'J') {
      cells().length = Math.min(cells().length, column);
      rows.length = row + 1;
    } else if (letter === '') {
      const joined =
        token === '\u200d' || token === '\ufe0f' || cells()[column - 2]?.endsWith('\u200d') === true;
      if (joined) cells()[column - 2] += token;
      else put(token, columnsOf(token));
    }
  }
  const lines = Array.from(rows, (line: readonly string[] | undefined) => (line ?? []).join('').trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
