/** How wide a card is; a longer word is not broken. */
const cardWidth = 80;

/** What a card says: a label, and the text beside it. */
export type CardRow = readonly [label: string, text: string];

/** Labels and texts next to each other; the further lines of a text are aligned with its first line. */
export function toCard(rows: readonly CardRow[]): string[] {
  const indent = Math.max(0, ...rows.map(([label]) => label.length)) + 2;
  return rows.flatMap(([label, text]) =>
    wrap(text, cardWidth - indent).map((line, index) =>
      `${(index === 0 ? label : '').padEnd(indent)}${line}`.trimEnd(),
    ),
  );
}

/** A text in lines that are no longer than this, where its words allow it. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
