import type { Command } from 'commander';
import { collect } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import { addWorktreeOptions } from '../worktrees/flags.ts';

/** What a command that starts an agent needs besides its flags. */
export interface ConversationCommandOptions {
  readonly surroundings: Surroundings;
  /** The command line behind `--`; absent when there was no `--`. */
  readonly command?: readonly string[];
  readonly finish: (status: number) => void;
}

/** Adds the options that `run` and `chat` share. */
export function addConversationOptions(command: Command): Command {
  command
    .option(
      '-a, --agent <name>',
      'an agent by its name ("parley agents" lists them), or the https:// or wss:// of a remote one',
    )
    .option('--cwd <dir>', 'the folder of the session')
    .option('--add-dir <dir>', 'a further folder the session may use (repeatable)', collect)
    .option('--mcp-config <file>', 'MCP servers for the session')
    .option('--mode <id>', 'the mode of the session')
    .option('--model <id>', 'the model of the session')
    .option('--set <id=value>', 'a config option of the session (repeatable)', collect)
    .option('--continue', 'continue the last session in this folder, of the same agent or command line')
    .option('--session <id>', 'continue this session')
    .option('--approve <reads|edits|all|none>', 'what is allowed without asking')
    .option('--record <file>', 'write every message in both directions to a file')
    .option('--config <file>', "read this configuration instead of the user's and the project's");
  return addWorktreeOptions(command);
}
