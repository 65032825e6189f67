import { CliError } from '../cli-error.ts';

/** Reports a name that no agent has, with the names that it may be a misspelling of. */
export function unknownAgent(name: string, names: Iterable<string>, origin?: string): CliError {
  const similar = [...new Set(names)].filter((candidate) => isSimilar(name, candidate));
  const from = origin === undefined ? '' : `, the ${origin}`;
  const hint = similar.length === 0 ? '' : ` (Did you mean ${similar.join(' or ')}?)`;
  return new CliError(
    'usage',
    `no agent "${name}"${from}${hint}; "parley agents" lists the available agents`,
  );
}

/** Whether a name is another one with a slip or two: letters that are missing, added, wrong or swapped. */
function isSimilar(typed: string, name: string): boolean {
  const slips = name.length < 4 ? 1 : 2;
  return Math.abs(typed.length - name.length) <= slips && editDistance(typed, name) <= slips;
}

function editDistance(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const isSwapped = row > 0 && left[row - 1] === other && right[column - 1] === letter;
      current.push(
        Math.min(
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          (previous[column] ?? 0) + (letter === other ? 0 : 1),
          isSwapped ? (beforePrevious[column - 1] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
