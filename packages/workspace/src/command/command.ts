import type { CommandPart, CommandWord } from './command-part.ts';
import { mostCharacters, mostWords } from './command-size.ts';
import { splitCommand } from './split-command.ts';

/** A shell line, or the words of a program and its arguments. */
export type Command = string | readonly string[];

/** All commands that a command runs; undefined if that is uncertain. */
export function partsOf(command: Command): readonly CommandPart[] | undefined {
  if (typeof command !== 'string') {
    if (isTooLong(command)) return undefined;
    return [{ words: literalWords(command), assignments: [], writes: [], reads: [] }];
  }
  // There a line goes to `cmd`, which has quotes of its own.
  if (process.platform === 'win32' && /[^\w ./:=@+,-]/.test(command)) return undefined;
  return splitCommand(command);
}

function isTooLong(words: readonly string[]): boolean {
  return words.length > mostWords || words.reduce((sum, { length }) => sum + length, 0) > mostCharacters;
}

/** Words that mean nothing but themselves. */
export function literalWords(command: readonly string[]): readonly CommandWord[] {
  return command.map((text) => ({ text, isLiteral: true }));
}
