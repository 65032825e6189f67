import type { Command } from 'commander';
import { collect } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import { addWorktreeOptions } from '../worktrees/flags.ts';
import type { TypedAttachFlags } from './flags.ts';

/** What the command needs besides its words. */
export interface AttachCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley attach`. */
export function addAttachCommand(root: Command, { surroundings, finish }: AttachCommandOptions): void {
  const attach = root
    .command('attach')
    .summary('a session of the hub, beside its other clients')
    .description(
      'Shows a session of "parley serve" and talks in it, beside the browsers and programs that have it open.',
    )
    .usage('[options] [SESSION]')
    .argument(
      '[SESSION]',
      'the beginning of its id, as "parley sessions list" shows it; without one, the only one or a list',
    )
    .option('--new', 'begin a session, in this folder')
    .option('-a, --agent <name>', 'with --new: the agent, by its name')
    .option('--cwd <dir>', 'with --new: the folder of the session')
    .option('--mode <id>', 'with --new: the mode of the session')
    .option('--model <id>', 'with --new: the model of the session')
    .option('--set <id=value>', 'with --new: a config option of the session (repeatable)', collect)
    .option('--prompt <text>', 'send one prompt, and follow it to its end')
    .option(
      '--format <text|quiet|json>',
      'json: one event a line; quiet: with --prompt, only the final message',
    )
    .option('--from <number>', 'with --format json: from this event on (default: from now)')
    .option('--on-ask <fail>', 'cancel the turn when a question needs a user and none can answer')
    .option(
      '--timeout <seconds>',
      'end, and cancel the turn of --prompt, so long after the start of the command',
    )
    .option('--idle-timeout <seconds>', 'the same when nothing happens in the session for so long')
    .option('--url <url>', 'the hub (default: PARLEY_URL, else the one that runs on this machine)')
    .option('--token <token>', 'its token, for all programs of this user to see: rather use PARLEY_TOKEN');
  addWorktreeOptions(attach)
    .addHelpText('after', notes)
    .action(async (session: string | undefined, flags: TypedAttachFlags) => {
      const { attach: run } = await import('./attach.ts');
      finish(await run(session, flags, surroundings));
    });
}

const notes = `
"parley serve" on this machine is found by itself. On a terminal, Ctrl-C stops the turn, Ctrl-D leaves; the session goes on.

Exit status: 0 done or left, 1 no hub, or it refused or failed, 2 wrong usage or no such session, 3 a permission or an
answer was needed and no client was there that may give it; the others are those of "parley run".

Examples:
  parley attach
  parley attach 1a2b
  parley attach --new -a claude
  parley attach --new --worktree
  parley attach 1a2b --format json --from 1
  parley attach 1a2b --prompt "go on" --format json
  PARLEY_URL=https://hub.example.com PARLEY_TOKEN=… parley attach 1a2b`;
