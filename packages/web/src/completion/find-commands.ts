import type { AvailableCommand } from '@parley/acp';

/** A completion of what is being typed. */
export interface CompletionEntry {
  /** Without the sign. */
  readonly value: string;
  readonly description?: string;
  /** What may follow it. */
  readonly hint?: string;
}

/** The commands that match the typed text: those that start with it first, then those that contain it. */
export function findCommands(
  commands: readonly AvailableCommand[],
  query: string,
): readonly CompletionEntry[] {
  const wanted = query.toLowerCase();
  const rank = ({ name, description }: AvailableCommand): number => {
    const known = name.toLowerCase();
    if (known.startsWith(wanted)) return 0;
    if (known.includes(wanted)) return 1;
    return description.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((each) => each.rank < 3)
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ command: { name, description, input } }) => ({
      value: name,
      description,
      ...(input !== undefined && { hint: input.hint }),
    }));
}
