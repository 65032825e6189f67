import type { Command } from 'commander';
import {
  addConversationOptions,
  type ConversationCommandOptions,
} from '../conversation/conversation-options.ts';
import { collect } from '../flag-values.ts';
import type { TypedRunFlags } from './flags.ts';

/** Options of {@link addRunCommand}. */
export interface RunCommandOptions extends ConversationCommandOptions {
  /** `--worktree` was typed without `=`: the next word is its name or the prompt. */
  readonly isWorktreeBare: boolean;
}

/** Adds `parley run`. */
export function addRunCommand(
  root: Command,
  { surroundings, finish, isWorktreeBare, ...behind }: RunCommandOptions,
): void {
  const command = root
    .command('run')
    .summary('send one prompt, for scripts and CI')
    .description('Sends one prompt to an agent and prints its output until the turn ends.')
    .usage('[options] [PROMPT] [-- CMD ARG…]')
    .argument('[PROMPT]', 'the prompt; "-", or no PROMPT and no --file, reads it from standard input');
  addConversationOptions(command)
    .optionsGroup('Prompt and output:')
    .option('--file <file>', 'read the prompt from a file')
    .option('--image <file>', 'attach an image (repeatable)', collect)
    .option(
      '--format <text|quiet|json>',
      'quiet prints only the final message, json one event per line (default: text)',
    )
    .optionsGroup('Limits:')
    .option(
      '--timeout <seconds>',
      'cancel the turn after this time, counted from the start of the command (default: none)',
    )
    .option(
      '--idle-timeout <seconds>',
      'cancel the turn when the agent sends nothing for this time (default: none)',
    )
    .option(
      '--on-ask <fail>',
      'fail: cancel the turn at the first question that no user can answer (default: reject the request and continue)',
    )
    .addHelpText('after', notes)
    .action(async (typed: string | undefined, flags: Omit<TypedRunFlags, 'prompt' | 'command'>) => {
      const { run } = await import('./run.ts');
      // The next word is its name only after the prompt.
      const isPrompt = isWorktreeBare && typed === undefined && typeof flags.worktree === 'string';
      const prompt = isPrompt ? flags.worktree : typed;
      const words = { ...flags, ...behind, ...(isPrompt && { worktree: true as const }) };
      finish(await run({ ...words, ...(typeof prompt === 'string' && { prompt }) }, surroundings));
    });
}

const notes = `
After --, write the command line of any ACP agent to run that agent.

Examples:
  parley run "search TODO"
  parley run --approve edits "write notes.txt: hello"
  parley run --worktree=fix --approve edits "fix the failing test"
  parley run --format json "explain this" -- my-agent --acp

Exit status:
  0    the turn ended
  1    the agent or the connection failed
  2    wrong usage or configuration
  3    a permission or an answer was needed, and no user could give it
  4    the agent reached its limit of model requests (max_turn_requests)
  5    the model refused (refusal), or the worktree is in use
  6    the answer reached the token limit (max_tokens)
  7    the agent requires sign-in
  124  a time limit was reached
  130  interrupted
  143  terminated`;
