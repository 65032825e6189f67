import type { CommandPart } from './command-part.ts';
import { splitCommand } from './split-command.ts';

/** Whether a command is one that a rule names; `maybe` when the words that matter are not known. */
export type PrefixMatch = 'yes' | 'maybe' | 'no';

/** The words of a rule's prefix. A prefix that is no plain command is taken word by word as it stands. */
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

/** Whether a part is nothing but words: variables set for it, and files it writes to, are more than a prefix says. */
function isPlain(part: CommandPart): boolean {
  return part.assignments.length === 0 && part.writes.length === 0;
}
