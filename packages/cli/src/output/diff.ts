import { createRequire } from 'node:module';
import type { diffArrays as DiffArrays } from 'diff';

/** One line of a difference. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
  /** How many lines that stay are left out before it. */
  readonly skipped?: number;
}

/** Removed and added lines of a difference; beyond that, the changed middle is displayed as one block. */
export const maxEdits = 1000;

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

function removed(text: string): DiffLine {
  return { sign: '-', text };
}

function added(text: string): DiffLine {
  return { sign: '+', text };
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const parts =
    before.length === 0 || after.length === 0
      ? undefined
      : diffArrays()([...before], [...after], { maxEditLength: maxEdits });
  if (parts === undefined) return [...before.map(removed), ...after.map(added)];
  return parts.flatMap((part) => part.value.map(part.removed ? removed : part.added ? added : same));
}

/** Loads the comparison with the first difference: most runs display none. */
function diffArrays(): typeof DiffArrays {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- what the package exports
  const array = createRequire(import.meta.url)('diff/lib/diff/array.js') as {
    readonly diffArrays: typeof DiffArrays;
  };
  return array.diffArrays;
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
