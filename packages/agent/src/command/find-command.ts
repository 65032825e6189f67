import type { ContentBlock } from '@parley/acp';
import type { Command } from './command.ts';

/** A command with its argument. */
export interface CommandLine {
  readonly command: Command;
  readonly argument: string;
}

/**
 * The command of a prompt: its first text starts with a slash and the name of a command. Other texts, such as paths,
 * go to the model.
 */
export function findCommand(
  prompt: readonly ContentBlock[],
  commands: readonly Command[],
): CommandLine | undefined {
  const first = prompt.find((block) => block.type === 'text');
  if (first === undefined || !first.text.startsWith('/')) return undefined;
  const [name = ''] = first.text.slice(1).split(/\s/u, 1);
  const command = commands.find((known) => known.name === name);
  return command && { command, argument: first.text.slice(1 + name.length).trim() };
}
