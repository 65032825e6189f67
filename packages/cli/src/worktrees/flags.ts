import type { WorktreeWish } from '@parley/workspace/worktree';
import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';

/** The flags of a worktree, as they were typed. */
export interface TypedWorktreeFlags {
  /** True without a name. */
  readonly worktree?: string | true;
  readonly base?: string;
  readonly withChanges?: boolean;
}

/** Adds the flags of how a worktree begins. */
export function addWorktreeBeginning(command: Command): Command {
  return command
    .option('--base <ref>', 'the commit that the worktree begins from (HEAD)')
    .option('--with-changes', 'bring the uncommitted changes along into a new worktree; they stay here too');
}

/** Adds the flags of a session that works in a worktree. */
export function addWorktreeOptions(command: Command): Command {
  return addWorktreeBeginning(
    command.option(
      '--worktree [name]',
      'work in a git worktree of its own; --worktree=NAME goes on in one that exists',
    ),
  );
}

/** Checks these flags; undefined where no worktree is wanted. */
export function parseWorktreeFlags({
  worktree,
  base,
  withChanges,
}: TypedWorktreeFlags): WorktreeWish | undefined {
  if (worktree === undefined) {
    if (base !== undefined) throw new CliError('usage', '--base goes with --worktree');
    if (withChanges === true) throw new CliError('usage', '--with-changes goes with --worktree');
    return undefined;
  }
  return {
    ...(worktree !== true && { name: worktree }),
    ...(base !== undefined && { base }),
    ...(withChanges === true && { withChanges }),
  };
}
