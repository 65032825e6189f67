/** The sign before a row that continues the row above it. If a text contains this sign, it is displayed as a code. */
export const continuation = '↳ ';

/**
 * A line of honest text in rows that fit on the screen, so that nothing stands beyond its edge. A note in angle brackets
 * stays in one row. Tabs are spaces at the beginning and written out elsewhere.
 */
export function wrapLine(line: string, width: number): readonly string[] {
  const text = withoutTabs(line).replaceAll('↳', '⟨U+21B3⟩');
  if (text.length <= width && /^[ -~]*$/u.test(text)) return [text];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const [token] of text.matchAll(/⟨[^⟩]*⟩|.\p{M}*/gsu)) {
    for (const piece of widthOf(token) > width ? Array.from(token) : [token]) {
      const wide = widthOf(piece);
      if (used + wide > width && row !== '') {
        rows.push(row);
        row = '';
        used = 0;
      }
      row += piece;
      used += wide;
    }
  }
  return [...rows, row];
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const [indentation = ''] = /^[ \t]*/u.exec(line) ?? [];
  const rest = line.slice(indentation.length);
  return indentation.replaceAll('\t', '    ') + rest.replaceAll('\t', '⟨tab⟩');
}

/** An upper bound: terminals do not agree on how wide a character is that is not of ASCII. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replace(/(?<=.)\p{M}+$/u, '')) width += character <= '~' ? 1 : 2;
  return width;
}
