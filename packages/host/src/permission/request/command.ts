import { basename } from 'node:path';
import {
  isShellName,
  isSystemShell,
  matchesCommand,
  type Command,
  type FoundProgram,
} from '@parley/workspace';
import { environmentFields } from './input-fields.ts';
import type { RequestedVariable } from './requested-action.ts';

/** The command in a tool call's input: `command` as text or as a list of words, with `args` beside it or without. */
export function commandOf(input: unknown): Command | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined;
  const { command } = input;
  if (isWordList(command)) return command;
  if (typeof command !== 'string' || command.trim() === '') return undefined;
  const args: unknown = 'args' in input ? input.args : undefined;
  return isWordList(args) ? [command, ...args] : command.trim();
}

/**
 * The command that rules are compared with. For a command line that is passed to a system shell, only the line
 * matters. A program in a project folder is named by its path, regardless of the name that was typed.
 *
 * @param program The program that the first word resolves to, if known.
 */
export function toRuledCommand(command: Command, program: ResolvedProgram | undefined): Command {
  if (typeof command === 'string') return command;
  const [name = '', flags = '', line] = command;
  const isShellLine = command.length === 3 && /^-l?c$/.test(flags) && line !== undefined;
  if (isShellLine && isShell(name, program)) return line.trim();
  const isRenamed =
    program?.isOfProject === true ||
    (isShellName(basename(name)) && program !== undefined && !isSystemShell(program.found));
  return isRenamed ? [program.realPath, ...command.slice(1)] : command;
}

/** The program that a command's first word resolves to. */
export type ResolvedProgram = Pick<FoundProgram, 'found' | 'realPath' | 'isOfProject'>;

/** Variables in a tool call's input: an object, or a list of names and values. */
export function variablesOf(input: unknown): readonly RequestedVariable[] {
  if (typeof input !== 'object' || input === null) return [];
  const fields = new Map<string, unknown>(Object.entries(input));
  return environmentFields.flatMap((field) => toVariables(fields.get(field)));
}

/** Whether two commands do the same: equal command lines, or equal words without shell syntax. */
export function isSameCommand(left: Command, right: Command): boolean {
  if (typeof left === 'string') return matchesCommand({ command: left }, right);
  if (typeof right === 'string') return matchesCommand({ command: right }, left);
  return left.length === right.length && left.every((word, index) => word === right[index]);
}

function isShell(name: string, program: ResolvedProgram | undefined): boolean {
  return program === undefined ? false : isShellName(basename(name)) && isSystemShell(program.found);
}

function toVariables(value: unknown): readonly RequestedVariable[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map(toVariable);
  if (typeof value !== 'object') return [toVariable(value)];
  return Object.entries(value).map(([name, content]) => ({ name, value: toText(content) }));
}

function toVariable(item: unknown): RequestedVariable {
  if (typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string') {
    return { name: item.name, value: toText('value' in item ? item.value : '') };
  }
  const text = toText(item);
  const end = text.indexOf('=');
  // What is no variable at all is shown as an unknown one.
  return end === -1 ? { name: text, value: '' } : { name: text.slice(0, end), value: text.slice(end + 1) };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function isWordList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}
