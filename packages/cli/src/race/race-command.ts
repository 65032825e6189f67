import type { Command } from 'commander';
import { collect } from '../flag-values.ts';
import type { Surroundings } from '../surroundings.ts';
import { addWorktreeBeginning } from '../worktrees/flags.ts';
import type { MergeFlags } from '../worktrees/merge.ts';
import type { TypedRaceFlags } from './flags.ts';

/** What the commands need besides their words. */
export interface RaceCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley race`. */
export function addRaceCommand(root: Command, { surroundings, finish }: RaceCommandOptions): void {
  const race = root
    .command('race')
    .summary('one prompt, several agents, each in a git worktree of its own')
    .description(
      'Sends one prompt to several agents at once, each in a git worktree of its own, and compares what they did. Nothing ' +
        'changes here before "parley race adopt".',
    )
    .usage('[options] PROMPT -a AGENT -a AGENT…')
    .argument('<PROMPT>', 'the prompt; "-" reads it from standard input')
    .option('-a, --agent <name>', 'a runner (repeatable; the same agent may run twice)', collect)
    .option('-c, --check <command>', 'a command that is run in each worktree when its turn has ended')
    .option('--cwd <dir>', 'the folder of the sessions, in a git repository');
  addWorktreeBeginning(race)
    .option('--approve <reads|edits|all|none>', 'what is allowed; a race asks no user')
    .option('--on-ask <fail>', 'cancel the turn when a question needs a user')
    .option(
      '--timeout <seconds>',
      'cancel a turn so long after the start of the command; end a check after as long',
    )
    .option('--idle-timeout <seconds>', 'cancel a turn when its agent says nothing for so long')
    .option('--config <file>', "read this configuration instead of the user's and the project's")
    .option('--json', 'a JSON line when a runner has ended, and one for the race at the end')
    .addHelpText('after', notes)
    .action(async (prompt: string, flags: Omit<TypedRaceFlags, 'prompt'>) => {
      const { race: run } = await import('./race.ts');
      finish(await run({ ...flags, prompt }, surroundings));
    });

  race
    .command('adopt')
    .summary('merge what one runner did')
    .description(
      'Merges the worktree of a runner into the checkout that the race began in, as "parley worktrees merge" does. The ' +
        'others stay until "parley worktrees remove".',
    )
    .argument('<ID>', 'of the runner, as the race shows it')
    .option('--commit', 'as one commit')
    .option('-m, --message <text>', 'with --commit: its message')
    .option('--json', 'one JSON document')
    .action(async (id: string, _own: unknown, command: Command) => {
      const { adopt } = await import('./adopt.ts');
      // --json is a flag of the race, too.
      finish(await adopt(id, command.optsWithGlobals<MergeFlags>(), surroundings));
    });
}

const notes = `
Exit status: 0 when a runner ended with 0, else 1; 2 wrong usage.

Examples:
  parley race "fix the failing test" -a claude -a codex --approve edits --check "npm test"
  parley race adopt bodu-31-claude`;
