import type { WorkspacePath } from './workspace-path.ts';

/** A file or a link as a checkpoint has it. */
export interface FileEntry {
  readonly mode: '100644' | '100755' | '120000';
  readonly permissions: number;
  readonly blob: string;
}

/** A file that differs between two checkpoints. */
export interface FileChange {
  readonly path: WorkspacePath;
  readonly oldPath?: WorkspacePath;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'mode';
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  readonly before?: FileEntry;
  readonly after?: FileEntry;
  /** It was there before, but not covered: restoring never deletes it. */
  readonly wasUncovered?: true;
}
