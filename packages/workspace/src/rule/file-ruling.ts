import { type CommandFiles, commandFiles } from '../command/command-files.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

/**
 * The decision of a rule about files for a command: files that its redirections open are certain; arguments of its
 * programs, and commands that cannot be parsed, may match.
 *
 * @param covers Whether the rule's path covers a file.
 */
export function ruleOnFiles(
  { tool, decision }: Rule,
  files: CommandFiles | undefined,
  covers: (file: string) => boolean,
): 'deny' | 'unclear' | 'ask' | undefined {
  if (decision === 'allow') return undefined;
  const changes = tool === '*' || changing.has(tool);
  const reads = tool === '*' || reading.has(tool);
  if (!changes && !reads) return undefined;
  const perhaps = decision === 'deny' ? 'unclear' : 'ask';
  if (files === undefined) return perhaps;
  if (changes && files.written.some(covers)) return decision;
  if (reads && files.read.some(covers)) return decision;
  return files.given.some(covers) || (reads && files.shown.some(covers)) ? perhaps : undefined;
}

const changing: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
const reading: ReadonlySet<string> = new Set(['read', 'search']);

/** The files that a call's command shows; undefined where they are unknown. */
export function filesOf({ command, directory }: Subject, cwd: string): CommandFiles | undefined {
  return command === undefined ? undefined : commandFiles(command, directory ?? cwd);
}
