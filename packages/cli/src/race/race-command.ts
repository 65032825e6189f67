import type { Command } from 'commander';
import { collect, sandboxOption } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import { addWorktreeBeginning } from '../worktrees/flags.ts';
import type { MergeFlags } from '../worktrees/merge.ts';
import type { TypedRaceFlags } from './flags.ts';

/** Options of {@link addRaceCommand}. */
export interface RaceCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley race`. */
export function addRaceCommand(root: Command, { surroundings, finish }: RaceCommandOptions): void {
  const race = root
    .command('race')
    .summary('send one prompt to several agents, each in its own git worktree')
    .description(
      'Sends one prompt to several agents at once, each in its own git worktree, and compares the results. Your checkout does ' +
        'not change until you run "parley race adopt".',
    )
    .usage('[options] PROMPT -a AGENT -a AGENT…')
    .argument('<PROMPT>', 'the prompt; "-" reads it from standard input')
    .option('-a, --agent <name>', 'an agent to run (repeatable; the same agent may run twice)', collect)
    .option('-c, --check <command>', 'a command to run in each worktree after its turn, such as "npm test"')
    .option('--cwd <dir>', 'a folder in the git repository (default: the current folder)');
  addWorktreeBeginning(race)
    .option(
      '--approve <reads|edits|all|none>',
      'what to allow; a race never asks (default: the configured rules, else reads)',
    )
    .option(...sandboxOption)
    .option('--on-ask <fail>', 'fail: cancel a turn at its first question (default: reject it and continue)')
    .option(
      '--timeout <seconds>',
      'cancel the turns after this time, counted from the start of the command; also limits each check (default: none)',
    )
    .option(
      '--idle-timeout <seconds>',
      'cancel a turn when its agent sends nothing for this time (default: none)',
    )
    .option('--config <file>', "use this configuration file instead of the user's and the project's")
    .option('--json', 'print one JSON line per runner, and one for the race at the end')
    .addHelpText('after', notes)
    .action(async (prompt: string, flags: Omit<TypedRaceFlags, 'prompt'>) => {
      const { race: run } = await import('./race.ts');
      finish(await run({ ...flags, prompt }, surroundings));
    });

  race
    .command('adopt')
    .summary('merge the changes of one runner')
    .description(
      'Merges the changes of one runner into the checkout in which the race started, like "parley worktrees merge". The other ' +
        'worktrees stay until you run "parley worktrees remove".',
    )
    .argument('<ID>', 'the id of the runner, as printed by the race')
    .option('--commit', 'create one commit')
    .option('-m, --message <text>', 'with --commit: the commit message')
    .option('--json', 'print one JSON document')
    .action(async (id: string, _own: unknown, command: Command) => {
      const { adopt } = await import('./adopt.ts');
      // --json is a flag of the race, too.
      finish(await adopt(id, command.optsWithGlobals<MergeFlags>(), surroundings));
    });
}

const notes = `
Examples:
  parley race "fix the failing test" -a claude -a codex --approve edits --check "npm test"
  parley race adopt bodu-31-claude

Exit status: 0 at least one runner ended with 0, 1 none did, 2 wrong usage.`;
