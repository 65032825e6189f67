import { wrapWords } from './wrap-words.ts';

/** How wide a card is at most; a longer word is not broken. */
const maxCardWidth = 80;

/** What a card says: a label, and the text beside it. */
export type CardRow = readonly [label: string, text: string];

/** Labels and texts next to each other; the further lines of a text are aligned with its first line. */
export function toCard(rows: readonly CardRow[], columns: number = maxCardWidth): string[] {
  const indent = Math.max(0, ...rows.map(([label]) => label.length)) + 2;
  return rows.flatMap(([label, text]) =>
    wrapWords(text, Math.min(columns, maxCardWidth) - indent).map((line, index) =>
      `${(index === 0 ? label : '').padEnd(indent)}${line}`.trimEnd(),
    ),
  );
}
