import type { Command } from 'commander';
import {
  addConversationOptions,
  type ConversationCommandOptions,
} from '../conversation/conversation-options.ts';
import { collect } from '../flag-values.ts';
import type { TypedRunFlags } from './flags.ts';

/** What the command needs besides its flags. */
export interface RunCommandOptions extends ConversationCommandOptions {
  /** `--worktree` was typed without `=`: the word behind it may be its name or the prompt. */
  readonly isWorktreeBare: boolean;
}

/** Adds `parley run`. */
export function addRunCommand(
  root: Command,
  { surroundings, finish, isWorktreeBare, ...behind }: RunCommandOptions,
): void {
  const command = root
    .command('run')
    .summary('one prompt, one turn, for scripts and CI')
    .description('Sends one prompt to an agent and prints what it does until its turn ends.')
    .usage('[options] [PROMPT] [-- CMD ARG…]')
    .argument('[PROMPT]', 'the prompt; "-" or none reads it from standard input');
  addConversationOptions(command)
    .option('--file <file>', 'read the prompt from a file')
    .option('--image <file>', 'attach a picture (repeatable)', collect)
    .option('--format <text|quiet|json>', 'quiet: only the final message; json: one event a line')
    .option('--on-ask <fail>', 'cancel the turn when a question needs a user and none can answer')
    .option('--timeout <seconds>', 'cancel the turn so long after the start of the command')
    .option('--idle-timeout <seconds>', 'cancel the turn when the agent says nothing for so long')
    .addHelpText('after', notes)
    .action(async (typed: string | undefined, flags: Omit<TypedRunFlags, 'prompt' | 'command'>) => {
      const { run } = await import('./run.ts');
      // The word behind --worktree is its name only after the prompt.
      const isPrompt = isWorktreeBare && typed === undefined && typeof flags.worktree === 'string';
      const prompt = isPrompt ? flags.worktree : typed;
      const words = { ...flags, ...behind, ...(isPrompt && { worktree: true as const }) };
      finish(await run({ ...words, ...(typeof prompt === 'string' && { prompt }) }, surroundings));
    });
}

const notes = `
Behind -- stands the command line of an ACP agent; without it, and without --agent, the configured default runs.

Exit status: 0 done, 1 agent or connection failed, 2 wrong usage or configuration, 3 a permission or an answer was
needed and no user was there, 4 max_turn_requests, 5 refusal, or the worktree is in use, 6 max_tokens, 7 authentication
needed, 124 timeout, 130 interrupted, 143 terminated.

Examples:
  parley run "search TODO"
  parley run --approve edits "write notes.txt: hello"
  parley run --worktree=fix --approve edits "fix the failing test"
  parley run --format json "explain this" -- my-agent --acp`;
