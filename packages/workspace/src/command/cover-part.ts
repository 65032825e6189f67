import type { CommandPart, CommandWord } from './command-part.ts';
import { type Command, partsOf } from './command.ts';
import { hasHarmlessWords, uncoveredWord } from './covered/uncovered.ts';
import { prefixWords } from './prefix.ts';
import { startedLine } from './started/started-command.ts';
import { unwrapHarmless } from './started/unwrap.ts';
import { isHarmlessVariable } from './variables.ts';

/** Whether rules for the first words of commands, together, cover all that one command of a line does. */
export function isCovered(prefixes: readonly (readonly string[])[], part: CommandPart): boolean {
  if (part.words.length === 0 || beyondWords(part) !== undefined) return false;
  return areWordsCovered(prefixes, part.words, 0);
}

/**
 * Explains why a rule for the first words of a command does not cover a command that begins with them: the first
 * option, word or variable that is not known to be harmless. Undefined if the rule covers the command, or does not
 * match it.
 */
export function uncoveredReason(commandPrefix: string, command: Command): string | undefined {
  const prefix = prefixWords(commandPrefix);
  for (const part of partsOf(command) ?? []) {
    const words = unwrapHarmless(part.words) ?? part.words;
    if (!beginsWith(prefix, words)) continue;
    const reason = beyondWords(part) ?? uncoveredWord(prefix, words);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Checks whether a rule that allows these first words covers only exactly them, because no list of harmless words
 * exists for the program.
 */
export function coversOnlyItsWords(commandPrefix: string): boolean {
  const [program] = prefixWords(commandPrefix);
  return program !== undefined && !hasHarmlessWords(program);
}

/** Nesting depth of commands that a prefix rule can cover. */
const mostDepth = 8;

function areWordsCovered(
  prefixes: readonly (readonly string[])[],
  words: readonly CommandWord[],
  depth: number,
): boolean {
  if (depth > mostDepth) return false;
  const isNamed = prefixes.some(
    (prefix) => beginsWith(prefix, words) && uncoveredWord(prefix, words) === undefined,
  );
  if (isNamed) return true;
  const line = startedLine(words);
  if (line?.isKnown === true) {
    const parts = partsOf(line.line) ?? [];
    return parts.length > 0 && parts.every((part) => isCovered(prefixes, part));
  }
  const inner = unwrapHarmless(words);
  return inner !== undefined && inner.length > 0 && areWordsCovered(prefixes, inner, depth + 1);
}

/** The effects of a command that its words do not show. */
function beyondWords({ assignments, writes }: CommandPart): string | undefined {
  const variable = assignments.find(({ name }) => !isHarmlessVariable(name));
  if (variable !== undefined) return `the variable "${variable.name}" may change what runs`;
  const [written] = writes;
  return written === undefined ? undefined : `its output is written to "${written.text}"`;
}

function beginsWith(prefix: readonly string[], words: readonly CommandWord[]): boolean {
  if (prefix.length === 0) return false;
  return prefix.every((wanted, index) => {
    const word = words[index];
    return word?.isLiteral === true && word.text === wanted;
  });
}
