import type { CommandPart } from './command-part.ts';
import { splitCommand } from './split-command.ts';

/** Whether a command matches a rule; `maybe` if the relevant words are unknown. */
export type PrefixMatch = 'yes' | 'maybe' | 'no';

/** The words of a rule's prefix. A prefix that is not a plain command is split at spaces. */
export function prefixWords(commandPrefix: string): readonly string[] {
  return plainWords(commandPrefix) ?? commandPrefix.split(/\s+/).filter((word) => word !== '');
}

/** The words of a line that is one plain command: no expansion, no assignment, no redirection. */
export function plainWords(line: string): readonly string[] | undefined {
  const parts = splitCommand(line);
  const [part] = parts ?? [];
  if (part === undefined || parts?.length !== 1 || !isPlain(part)) return undefined;
  return part.words.every((word) => word.isLiteral) ? part.words.map((word) => word.text) : undefined;
}

/** Whether a part consists only of words: a prefix does not cover variables and redirections to files. */
function isPlain(part: CommandPart): boolean {
  return part.assignments.length === 0 && part.writes.length === 0;
}
