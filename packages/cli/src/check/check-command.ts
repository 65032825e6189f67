import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { TypedCheckFlags } from './check.ts';

/** Adds `parley check`. */
export function addCheckCommand(
  root: Command,
  options: {
    readonly surroundings: Surroundings;
    /** The words after `--`; absent without one. */
    readonly command?: readonly string[];
    readonly finish: (status: number) => void;
  },
): void {
  const { surroundings, command, finish } = options;
  root
    .command('check')
    .summary('check whether an agent or a client conforms to ACP')
    .description(
      'Checks whether an agent or a client conforms to ACP, and prints the result of each requirement.',
    )
    .usage('[options] -- CMD ARG…')
    .option('--client', 'CMD is a client; {agent} in its arguments becomes the command of the agent to start')
    .option('--format <format>', 'text, json, junit or svg (default: text)')
    .option('--timeout <seconds>', 'the time limit of each check (default: 30)')
    .option('--long-prompt <text>', 'a prompt whose turn runs long enough to be cancelled')
    .option('--auth-method <id>', 'authenticate with this method before each check')
    .option('--allow-logout', 'also check logout, which may sign you out')
    .addHelpText('after', notes)
    .action(async (flags: Omit<TypedCheckFlags, 'command'>) => {
      const { check } = await import('./check.ts');
      finish(await check({ ...flags, ...(command !== undefined && { command }) }, surroundings));
    });
}

const notes = `
A requirement is required or recommended; its result is passed, failed or
skipped. Sessions use temporary folders. Permission requests are rejected, except
for actions that the prompts of the checks ask for. Repeated checks of the same
agent give the same result.

Examples:
  parley check -- parley agent
  parley check --format json -- node agent.mjs | jq '.checks[] | select(.outcome == "failed")'
  parley check --format junit -- my-agent --acp > acp.xml
  parley check --format svg -- my-agent --acp > acp.svg
  parley check --client -- parley run hello -- {agent}

Exit status: 0 no required check failed, 1 a required check failed.`;
