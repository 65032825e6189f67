export {
  inOwnCheckout,
  listWorktrees,
  worktreeAround,
  worktreesNamed,
  type FindWorktreesOptions,
} from './find-worktrees.ts';
export { mergeWorktree, type MergeWorktreeOptions, type WorktreeMerge } from './merge-worktree.ts';
export { openWorktree, type OpenWorktree, type WorktreeWish } from './open-worktree.ts';
export { writeRecord, type NamedWorktree, type WorktreeRecord } from './record.ts';
export { removeWorktree, type RemovedWorktree, type RemoveWorktreeOptions } from './remove-worktree.ts';
export { toText } from './run-git.ts';
export { worktreePatch, worktreeState, type WorktreePatch, type WorktreeState } from './worktree-state.ts';
export { generateName } from './worktree-name.ts';
