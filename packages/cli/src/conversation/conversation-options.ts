import type { Command } from 'commander';
import { collect, sandboxOption } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import { addWorktreeOptions } from '../worktrees/flags.ts';

/** What a command that starts an agent needs besides its flags. */
export interface ConversationCommandOptions {
  readonly surroundings: Surroundings;
  /** The command line after `--`; absent without `--`. */
  readonly command?: readonly string[];
  readonly finish: (status: number) => void;
}

/** Adds the options that `run` and `chat` share. */
export function addConversationOptions(command: Command): Command {
  command
    .optionsGroup('Agent:')
    .option(
      '-a, --agent <name>',
      'a name that "parley agents" lists, or the https:// or wss:// URL of a remote agent (default: the default agent)',
    )
    .option('--team <agent,agent>', 'agents that it may delegate work to')
    .option('--record <file>', 'record all messages to and from the agent in a file')
    .option('--config <file>', "use this configuration file instead of the user's and the project's")
    .optionsGroup('Session:')
    .option('--cwd <dir>', 'the folder to work in (default: the current folder)')
    .option('--add-dir <dir>', 'another folder that the agent may use (repeatable)', collect)
    .option('--mcp-config <file>', 'MCP servers, as a JSON file with "mcpServers"')
    .option('--mode <id>', 'a mode that the agent offers, such as plan')
    .option('--model <id>', 'a model that the agent offers')
    .option('--set <id=value>', 'a config option that the agent offers (repeatable)', collect)
    .option('--continue', 'continue the last session of the same agent or command line in this folder')
    .option('--session <id>', 'continue this session, as listed by "parley sessions list"')
    .optionsGroup('Permissions:')
    .option(
      '--approve <reads|edits|all|none>',
      'allow without asking: reads; reads and edits; all; or nothing (default: ask on a terminal, else reads)',
    )
    .option(...sandboxOption);
  return addWorktreeOptions(command);
}
