import type { Command } from 'commander';
import type { TypedRunFlags } from '../run/flags.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TypedConversationFlags } from './flags.ts';

/** What the commands need besides their words. */
export interface TalkOptions {
  readonly surroundings: Surroundings;
  /** What stands behind `--`. */
  readonly command?: readonly string[];
  readonly finish: (status: number) => void;
}

/** `parley run` and `parley chat`, which talk with an agent. */
export function addTalkCommands(root: Command, { surroundings, finish, ...behind }: TalkOptions): void {
  withConversationOptions(
    root
      .command('run')
      .summary('one prompt, one turn, for scripts and CI')
      .description('Sends one prompt to an agent and prints what it does until its turn ends.')
      .usage('[options] [PROMPT] [-- CMD ARG…]')
      .argument('[PROMPT]', 'the prompt; "-" or none reads it from standard input'),
  )
    .option('--file <file>', 'read the prompt from a file')
    .option('--image <file>', 'attach a picture (repeatable)', collect)
    .option('--format <text|quiet|json>', 'quiet: only the final message; json: one event a line')
    .option('--on-ask <fail>', 'cancel the turn when something needs a person and nobody is there')
    .option('--timeout <seconds>', 'cancel the turn so long after the start of the command')
    .option('--idle-timeout <seconds>', 'cancel the turn when the agent says nothing for so long')
    .addHelpText('after', runNotes)
    .action(async (prompt: string | undefined, flags: Omit<TypedRunFlags, 'prompt' | 'command'>) => {
      const { run } = await import('../run/run.ts');
      finish(await run({ ...flags, ...behind, ...(prompt !== undefined && { prompt }) }, surroundings));
    });

  withConversationOptions(
    root
      .command('chat')
      .summary('a conversation in the terminal')
      .description('Talks with an agent, line by line.')
      .usage('[options] [-- CMD ARG…]'),
  ).action(async (flags: Omit<TypedConversationFlags, 'command'>) => {
    const { chat } = await import('../chat/chat.ts');
    finish(await chat({ ...flags, ...behind }, surroundings));
  });
}

function withConversationOptions(command: Command): Command {
  return command
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
    .option('--continue', 'go on with the last session in this folder')
    .option('--session <id>', 'go on with this session')
    .option('--approve <reads|edits|all|none>', 'what is allowed without asking')
    .option('--record <file>', 'write every message in both directions to a file')
    .option('--config <file>', "read this configuration instead of the person's and the project's");
}

const runNotes = `
Behind -- stands the command line of an ACP agent; without it, and without --agent, the configured default runs.

Exit status: 0 done, 1 agent or connection failed, 2 wrong usage or configuration, 3 a permission or an answer was
needed and nobody was there, 4 max_turn_requests, 5 refusal, 6 max_tokens, 7 authentication needed, 124 timeout,
130 interrupted, 143 terminated.

Examples:
  parley run "search TODO"
  parley run --approve edits "write notes.txt: hello"
  parley run --format json "explain this" -- my-agent --acp`;

function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
