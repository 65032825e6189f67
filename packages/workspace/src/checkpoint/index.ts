export type {
  Checkpoint,
  CheckpointFile,
  CheckpointFolder,
  FileChange,
  FileEntry,
  FileMode,
  OmissionReason,
  OmittedPath,
} from './checkpoint.ts';
export { openCheckpoints } from './checkpoints.ts';
export type { Checkpoints, CheckpointLimits, CheckpointsOptions, TakeOptions } from './checkpoints.ts';
export { shareCheckpoints } from './share-checkpoints.ts';
export type { OpenCheckpoints } from './share-checkpoints.ts';
export type { BytePath, WorkspacePath } from './workspace-path.ts';
export { diffFiles } from '../diff/diff-files.ts';
export type { ChangedFile, DiffOptions, FileDiff } from '../diff/diff-files.ts';
export { formatPatch } from '../diff/format-patch.ts';
export type { PatchOptions } from '../diff/format-patch.ts';
export type { Hunk } from '../diff/hunk.ts';
export { leaveOutHunks } from '../diff/leave-out-hunks.ts';
export { planRevert } from '../diff/plan-revert.ts';
export type { RevertOptions } from '../diff/plan-revert.ts';
export { applyRestore } from '../restore/transaction/apply.ts';
export type { ApplyOptions } from '../restore/transaction/apply.ts';
export { withContents } from '../restore/contents.ts';
export type { Contents, ReadBlob } from '../restore/contents.ts';
export type { ConflictReason } from '../restore/decide.ts';
export { finishRestores } from '../restore/transaction/finish.ts';
export type { FinishOptions, FinishedRestore } from '../restore/transaction/finish.ts';
export type { Found, FoundFile } from '../restore/look.ts';
export { mergeBytes } from '../restore/merge-bytes.ts';
export type { MergeSides } from '../restore/merge-bytes.ts';
export { planRestore } from '../restore/plan.ts';
export type {
  PlanOptions,
  RestoreConflict,
  RestoredFile,
  RestorePlan,
  RestoreStep,
  Wanted,
} from '../restore/plan.ts';
export { readDisk } from '../restore/read-disk.ts';
export type { ChangedPaths, DiskState, FolderMember } from '../restore/read-disk.ts';
export { commitChanges } from '../commit/commit-changes.ts';
export { isInCheckout } from '../worktree/checkout.ts';
export type { CommitOptions, CommitResult } from '../commit/commit-changes.ts';
