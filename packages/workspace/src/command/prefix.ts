import type { CommandPart, CommandWord } from './command-part.ts';
import { splitCommand } from './split-command.ts';

/** Whether a command begins with the words of a prefix; `maybe` when the words that matter are not known. */
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
export function isPlain(part: CommandPart): boolean {
  return part.assignments.length === 0 && part.writes.length === 0;
}

/** Compares a command's words with a prefix. */
export function matchWords(prefix: readonly string[], words: readonly CommandWord[]): PrefixMatch {
  if (prefix.length === 0) return 'no';
  for (const [index, wanted] of prefix.entries()) {
    const word = words[index];
    if (word === undefined) return 'no';
    // It becomes one word, several, or none: from here on nothing is known.
    if (!word.isLiteral) return 'maybe';
    if (word.text !== wanted) return 'no';
  }
  return 'yes';
}
