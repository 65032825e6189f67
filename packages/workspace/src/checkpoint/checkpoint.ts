import type { WorkspacePath } from './workspace-path.ts';

/** The files of a workspace at one moment. */
export interface Checkpoint {
  /** The same for the same files, permissions and omissions: git's id of a tree in the store. */
  readonly id: string;
  /** When it was taken, in milliseconds since 1970. */
  readonly takenAt: number;
  /** What is in the workspace and not in the checkpoint, less what `.gitignore` names. */
  readonly omitted: readonly OmittedPath[];
}

/** A path that a checkpoint does not hold. */
export interface OmittedPath {
  /** A folder means everything in it. */
  readonly path: WorkspacePath;
  readonly why: OmissionReason;
}

/** Why a checkpoint does not hold a path. */
export type OmissionReason =
  /** Over the limit for one file. */
  | 'too-large'
  /** A socket, a device, a FIFO. */
  | 'special'
  | 'unreadable'
  /** A nested repository that cannot be read, or a name that git reserves for itself. */
  | 'repository'
  /** It changed after the moment the checkpoint is for, and no earlier content is stored. */
  | 'late';

/** git's mode of a file, an executable file, a symbolic link. */
export type FileMode = '100644' | '100755' | '120000';

/** A file or link as a checkpoint holds it. */
export interface FileEntry {
  readonly mode: FileMode;
  /** The exact permission bits (`mode & 0o7777`); 0o777 for a link. */
  readonly permissions: number;
  /** What `Checkpoints.read` takes: the content, or the target of a link. */
  readonly blob: string;
}

/** A file of a checkpoint, with its path. */
export interface CheckpointFile extends FileEntry {
  readonly path: WorkspacePath;
}

/** A folder of a checkpoint. */
export interface CheckpointFolder {
  readonly path: WorkspacePath;
  /** The exact permission bits (`mode & 0o7777`). */
  readonly permissions: number;
}

/** What differs between two checkpoints, for one file. */
export interface FileChange {
  readonly path: WorkspacePath;
  /** Its path before, when it was renamed. */
  readonly oldPath?: WorkspacePath;
  /** `mode`: only its permissions differ. A change of kind (file, link) is `modified`. */
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'mode';
  /** Lines; 0 for binary content. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  /** Absent for `added`. */
  readonly before?: FileEntry;
  /** Absent for `deleted`. */
  readonly after?: FileEntry;
  /**
   * `added`, and the earlier checkpoint did not cover the path (ignored, too large, late …): it may have existed, so an undo must not
   * delete it.
   */
  readonly wasUncovered?: true;
}
