import type { Command } from 'commander';
import { inStore, storeOption, type TypedStore } from '../store/store-option.ts';
import type { Surroundings } from '../surroundings.ts';
import type { WorktreePlaceFlags } from './find-worktree.ts';
import type { ListFlags } from './list.ts';
import type { MergeFlags } from './merge.ts';
import type { RemoveFlags } from './remove.ts';

/** Options of {@link addWorktreesCommand}. */
export interface WorktreesCommandOptions {
  readonly surroundings: Surroundings;
  readonly finish: (status: number) => void;
}

/** Adds `parley worktrees` and its subcommands. */
export function addWorktreesCommand(root: Command, { surroundings, finish }: WorktreesCommandOptions): void {
  const worktrees = root
    .command('worktrees')
    .summary('git worktrees of sessions: list, show, merge, remove')
    .description(
      'Manages the git worktrees of sessions that were started with --worktree and of races. Inside a repository, only its ' +
        'own worktrees are listed.',
    )
    .addHelpText('after', notes);

  const place = (command: Command): Command =>
    command
      .option('--cwd <dir>', 'a folder in the repository (default: the current folder)')
      .option('--json', 'print one JSON document');

  place(
    worktrees
      .command('list')
      .option(...storeOption)
      .description('Lists worktrees: name, branch, base, last session, state and changed lines.'),
  ).action(async (flags: ListFlags & TypedStore) => {
    const { listCommand } = await import('./list.ts');
    finish(await inStore(flags, surroundings, (here) => listCommand(flags, here)));
  });

  place(
    worktrees
      .command('show')
      .description('Prints the changes in a worktree, committed or not, as a patch for "git apply".')
      .argument('<NAME>', 'its name, as listed by "parley worktrees list"'),
  ).action(async (name: string, flags: WorktreePlaceFlags & { readonly json?: boolean }) => {
    const { showCommand } = await import('./show.ts');
    finish(await showCommand(name, flags, surroundings));
  });

  place(
    worktrees
      .command('merge')
      .description(
        'Merges the changes of a worktree into the checkout it was created from, as uncommitted changes or one commit. On a ' +
          'conflict, no file changes.',
      )
      .argument('<NAME>', 'its name, as listed by "parley worktrees list"')
      .option('--commit', 'create one commit')
      .option('-m, --message <text>', 'with --commit: the commit message'),
  ).action(async (name: string, flags: MergeFlags) => {
    const { mergeCommand } = await import('./merge.ts');
    finish(await mergeCommand(name, flags, surroundings));
  });

  place(
    worktrees
      .command('remove')
      .option(...storeOption)
      .description('Removes a worktree and its branch. Refuses if that would lose changes.')
      .argument('<NAME>', 'its name, as listed by "parley worktrees list"')
      .option(
        '--discard',
        'save changes that would be lost as refs/parley/saved/NAME, then remove the worktree',
      ),
  ).action(async (name: string, flags: RemoveFlags & TypedStore) => {
    const { removeCommand } = await import('./remove.ts');
    finish(await inStore(flags, surroundings, (here) => removeCommand(name, flags, here)));
  });
}

const notes = `
Examples:
  parley run --worktree=fix "fix the failing test"
  parley worktrees show fix
  parley worktrees merge fix --commit -m "Fix the failing test"
  parley worktrees remove fix

Exit status: 0 done, 1 failed, 2 wrong usage, 5 refused because changes would be
lost; nothing was changed.`;
