import type { Command } from 'commander';
import { collect, sandboxOption } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import { addWorktreeOptions } from '../worktrees/flags.ts';
import type { TypedAttachFlags } from './flags.ts';

/** Options of {@link addAttachCommand}. */
export interface AttachCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley attach`. */
export function addAttachCommand(root: Command, { surroundings, finish }: AttachCommandOptions): void {
  const attach = root
    .command('attach')
    .summary('join a session of the running hub')
    .description(
      'Joins a session of a running "parley serve". Browsers and other programs that have it open stay connected.',
    )
    .usage('[options] [SESSION]')
    .argument(
      '[SESSION]',
      'its id or the start of it, as listed by "parley sessions list" (default: the only session, or choose from a list)',
    )
    .optionsGroup('Hub:')
    .option('--url <url>', 'the URL of the hub (default: PARLEY_URL, else the hub of this machine)')
    .option('--token <token>', 'its token; other programs can read the flag, so prefer PARLEY_TOKEN')
    .optionsGroup('New session:')
    .option('--new', 'start a new session; the options below, and --worktree, require it')
    .option('-a, --agent <name>', 'an agent of the hub (default: its default agent)')
    .option('--cwd <dir>', 'the folder to work in (default: the current folder)')
    .option('--mode <id>', 'a mode that the agent offers, such as plan')
    .option('--model <id>', 'a model that the agent offers')
    .option('--set <id=value>', 'a config option that the agent offers (repeatable)', collect)
    .option('--team <agent,agent>', 'agents that it may delegate work to')
    .option(...sandboxOption);
  addWorktreeOptions(attach)
    .optionsGroup('For scripts:')
    .option('--prompt <text>', 'send one prompt, print its turn, and exit')
    .option(
      '--format <text|quiet|json>',
      'json prints one event per line; quiet, with --prompt, only the final message (default: text)',
    )
    .option('--from <number>', 'with --format json: start at this event (default: new events only)')
    .option(
      '--on-ask <fail>',
      'with --prompt: fail cancels the turn at the first question that no user can answer',
    )
    .option(
      '--timeout <seconds>',
      'exit after this time, counted from the start of the command; cancels the turn of --prompt (default: none)',
    )
    .option(
      '--idle-timeout <seconds>',
      'exit when the session has no event for this time; open questions do not count (default: none)',
    )
    .addHelpText('after', notes)
    .action(async (session: string | undefined, flags: TypedAttachFlags) => {
      const { attach: run } = await import('./attach.ts');
      finish(await run(session, flags, surroundings));
    });
}

const notes = `
On a terminal, Ctrl-C stops the turn. Ctrl-D exits; the session continues.

Examples:
  parley attach
  parley attach 1a2b
  parley attach --new -a claude
  parley attach --new --worktree
  parley attach 1a2b --format json --from 1
  parley attach 1a2b --prompt "run the tests" --format json
  PARLEY_URL=https://hub.example.com PARLEY_TOKEN=… parley attach 1a2b

Exit status:
  0  the session was closed, or you left it
  1  no hub is running, or it rejected the token, or the connection failed
  2  wrong usage, or no such session
  3  a permission or an answer was needed, and no client could give it
With --prompt, also those of "parley run".`;
