export {
  allWorktrees,
  inOwnCheckout,
  listWorktrees,
  worktreeAround,
  worktreesNamed,
  type FindWorktreesOptions,
} from './find-worktrees.ts';
export { mergeWorktree, type MergeWorktreeOptions, type WorktreeMerge } from './merge-worktree.ts';
export { openWorktree, type OpenWorktree, type WorktreeWish } from './open-worktree.ts';
export type { RaceEntry } from './race-entry.ts';
export { isInUse, type NamedWorktree, type WorktreePlace, type WorktreeRecord } from './record.ts';
export { recordsVersion, storeRace, storeSetUp } from './store-progress.ts';
export { removeWorktree, type RemovedWorktree, type RemoveWorktreeOptions } from './remove-worktree.ts';
export { toText } from '../git/run-git.ts';
export type { CountedFile } from './trees.ts';
export { worktreeDiff, type DiffedFile, type WorktreeDiff } from './worktree-diff.ts';
export { worktreePatch, worktreeState, type WorktreePatch, type WorktreeState } from './worktree-state.ts';
export { worktreeTrouble, type WorktreeTrouble } from './trouble.ts';
export { generateName } from './worktree-name.ts';
