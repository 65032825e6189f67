/** One line of a difference. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
  /** How many lines that stay are left out before it. */
  readonly skipped?: number;
}

/** Compared pairs of lines; beyond that, the changed middle is displayed as one block. */
const maxCells = 250_000;

/** The lines that differ between two texts, each run of them with up to `context` lines around it. */
export function diffLines(oldText: string, newText: string, context = 1): readonly DiffLine[] {
  const before = toLines(oldText);
  const after = toLines(newText);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const lines: DiffLine[] = [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
  return nearChanges(lines, context);
}

function toLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function same(text: string): DiffLine {
  return { sign: ' ', text };
}

/** The longest common subsequence, by the usual table. */
function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ({ sign: '-', text }));
  const added = after.map((text): DiffLine => ({ sign: '+', text }));
  const width = after.length + 1;
  if (before.length === 0 || after.length === 0 || (before.length + 1) * width > maxCells) {
    return [...removed, ...added];
  }

  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }

  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    const text = before[row] ?? '';
    if (text === after[column]) {
      lines.push(same(text));
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push({ sign: '-', text });
      row += 1;
    } else {
      lines.push({ sign: '+', text: after[column] ?? '' });
      column += 1;
    }
  }
  return [...lines, ...removed.slice(row), ...added.slice(column)];
}

function nearChanges(lines: readonly DiffLine[], context: number): readonly DiffLine[] {
  if (context === Number.POSITIVE_INFINITY) return lines;
  const near = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    for (let line = index - context; line <= index + context; line += 1) near.add(line);
  }
  let skipped = 0;
  return lines.flatMap((line, index): DiffLine[] => {
    if (!near.has(index)) {
      skipped += 1;
      return [];
    }
    const before = skipped;
    skipped = 0;
    return [before > 0 ? { ...line, skipped: before } : line];
  });
}
