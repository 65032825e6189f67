import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.ts';
import type { WorktreePlaceFlags } from './find-worktree.ts';
import type { ListFlags } from './list.ts';
import type { MergeFlags } from './merge.ts';
import type { RemoveFlags } from './remove.ts';

/** What the commands need besides their words. */
export interface WorktreesCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley worktrees` and what it consists of. */
export function addWorktreesCommand(root: Command, { surroundings, finish }: WorktreesCommandOptions): void {
  const worktrees = root
    .command('worktrees')
    .summary('git worktrees that sessions work in: list, show, merge, remove')
    .description(
      'The git worktrees in which sessions work that began with --worktree, and the runners of races: those of this ' +
        'repository or, outside of one, all.',
    )
    .addHelpText('after', notes);

  const place = (command: Command): Command =>
    command.option('--cwd <dir>', 'a folder of the repository').option('--json', 'one JSON document');

  place(
    worktrees
      .command('list')
      .description('Lists the worktrees: name, branch, base, last session, state and lines changed.'),
  ).action(async (flags: ListFlags) => {
    const { listCommand } = await import('./list.ts');
    finish(await listCommand(flags, surroundings));
  });

  place(
    worktrees
      .command('show')
      .description('Prints what was changed in a worktree, committed or not, as a patch for "git apply".')
      .argument('<name>'),
  ).action(async (name: string, flags: WorktreePlaceFlags & { readonly json?: boolean }) => {
    const { showCommand } = await import('./show.ts');
    finish(await showCommand(name, flags, surroundings));
  });

  place(
    worktrees
      .command('merge')
      .description(
        'Merges what was changed in a worktree into the checkout that it came from, as uncommitted changes. On a conflict ' +
          'nothing is touched.',
      )
      .argument('<name>')
      .option('--commit', 'as one commit')
      .option('-m, --message <text>', 'with --commit: its message'),
  ).action(async (name: string, flags: MergeFlags) => {
    const { mergeCommand } = await import('./merge.ts');
    finish(await mergeCommand(name, flags, surroundings));
  });

  place(
    worktrees
      .command('remove')
      .description('Removes a worktree and its branch, where its changes are elsewhere too.')
      .argument('<name>')
      .option(
        '--discard',
        'save its changes under refs/parley/saved/NAME first, where they are nowhere else',
      ),
  ).action(async (name: string, flags: RemoveFlags) => {
    const { removeCommand } = await import('./remove.ts');
    finish(await removeCommand(name, flags, surroundings));
  });
}

const notes = `
Exit status: 0 done, 1 failed, 2 wrong usage, 5 refused because something would be lost: nothing was touched.

Examples:
  parley run --worktree=fix "fix the failing test"
  parley worktrees show fix
  parley worktrees merge fix --commit -m "Fix the failing test"
  parley worktrees remove fix`;
