import { matchesCommand, namesSystemShell, type Command } from '@parley/workspace';

/** The command in a tool call's input: `command` as text or as a list of words, with `args` beside it or without. */
export function commandOf(input: unknown): Command | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined;
  const { command } = input;
  if (isWordList(command)) return toCommand(command);
  if (typeof command !== 'string' || command.trim() === '') return undefined;
  const args: unknown = 'args' in input ? input.args : undefined;
  return isWordList(args) ? toCommand([command, ...args]) : command.trim();
}

/**
 * A program and its arguments as a command: a shell of the system that is given its line is no more than the line. Another
 * program with the name of a shell is what it is, with its arguments.
 */
export function toCommand(words: readonly string[]): Command {
  const [program = '', flags = '', line] = words;
  const isShellLine = words.length === 3 && namesSystemShell(program) && /^-l?c$/.test(flags);
  return isShellLine && line !== undefined ? line.trim() : words;
}

/** Whether two commands do the same: the same line, or the same words with nothing for a shell to do. */
export function isSameCommand(left: Command, right: Command): boolean {
  if (typeof left === 'string') return matchesCommand({ command: left }, right);
  if (typeof right === 'string') return matchesCommand({ command: right }, left);
  return left.length === right.length && left.every((word, index) => word === right[index]);
}

function isWordList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}
