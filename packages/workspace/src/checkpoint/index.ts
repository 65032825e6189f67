export type {
  Checkpoint,
  CheckpointFile,
  FileChange,
  FileEntry,
  FileMode,
  OmissionReason,
  OmittedPath,
} from './checkpoint.ts';
export { openCheckpoints } from './checkpoints.ts';
export type { Checkpoints, CheckpointLimits, CheckpointsOptions, TakeOptions } from './checkpoints.ts';
export type { WorkspacePath } from './workspace-path.ts';
