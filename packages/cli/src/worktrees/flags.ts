import type { WorktreeWish } from '@parley/workspace/worktree';
import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';

/** The flags of a worktree, as typed. */
export interface TypedWorktreeFlags {
  /** True without a name. */
  readonly worktree?: string | true;
  readonly base?: string;
  readonly withChanges?: boolean;
}

/** Adds the options that say what a new worktree starts from. */
export function addWorktreeBeginning(command: Command): Command {
  return command
    .option('--base <ref>', 'the commit that a new worktree starts from (default: HEAD)')
    .option('--with-changes', 'copy uncommitted changes into the new worktree; the originals stay');
}

/** Adds the options of a session that works in a worktree. */
export function addWorktreeOptions(command: Command): Command {
  return addWorktreeBeginning(
    command
      .optionsGroup('Worktree:')
      .option(
        '--worktree [name]',
        'work in a new git worktree, on a branch of its own; --worktree=NAME names it, or continues in it',
      ),
  );
}

/** Parses these flags; undefined if no worktree is requested. */
export function parseWorktreeFlags({
  worktree,
  base,
  withChanges,
}: TypedWorktreeFlags): WorktreeWish | undefined {
  if (worktree === undefined) {
    if (base !== undefined) throw new CliError('usage', '--base requires --worktree');
    if (withChanges === true) throw new CliError('usage', '--with-changes requires --worktree');
    return undefined;
  }
  return {
    ...(worktree !== true && { name: worktree }),
    ...(base !== undefined && { base }),
    ...(withChanges === true && { withChanges }),
  };
}
