import type { NewAgent } from '@parley/host/hub';

/** What a user types for a new agent. */
export interface AgentFields {
  readonly name: string;
  readonly command: string;
  /** One argument a line. */
  readonly args: string;
  /** One `NAME=value` a line. */
  readonly env: string;
}

/** The agent that was typed; undefined where a line of its variables is none. */
export function toNewAgent({ name, command, args, env }: AgentFields): NewAgent | undefined {
  const variables = linesOf(env).map(toVariable);
  if (variables.includes(undefined)) return undefined;
  return {
    name: name.trim(),
    command: command.trim(),
    args: linesOf(args),
    env: Object.fromEntries(variables.filter((pair) => pair !== undefined)),
  };
}

function toVariable(line: string): readonly [string, string] | undefined {
  const [, name, value] = /^\s*([A-Za-z_]\w*)=(.*)$/su.exec(line) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
