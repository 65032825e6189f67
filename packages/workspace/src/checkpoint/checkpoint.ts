import type { WorkspacePath } from './workspace-path.ts';

/** The files of a workspace at one moment. */
export interface Checkpoint {
  /** The id of git's tree in the store. Equal for equal files, permissions and omissions. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  /** Paths of the workspace that the checkpoint does not contain, except those that `.gitignore` names. */
  readonly omitted: readonly OmittedPath[];
}

/** A path that a checkpoint does not contain. */
export interface OmittedPath {
  /** A folder includes everything in it. */
  readonly path: WorkspacePath;
  readonly why: OmissionReason;
}

/** Why a checkpoint does not contain a path. */
export type OmissionReason =
  /** Larger than the limit for one file. */
  | 'too-large'
  /** A socket, a device or a FIFO. */
  | 'special'
  | 'unreadable'
  /** A nested repository that cannot be read, or a name that git reserves. */
  | 'repository'
  /** Changed after the moment of the checkpoint, without an earlier stored content. */
  | 'late';

/** The git mode of a file, an executable file or a symbolic link. */
export type FileMode = '100644' | '100755' | '120000';

/** A file or link in a checkpoint. */
export interface FileEntry {
  readonly mode: FileMode;
  /** The exact permission bits (`mode & 0o7777`); 0o777 for a link. */
  readonly permissions: number;
  /** The id for `Checkpoints.read`: the content, or the target of a link. */
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

/** The difference of one file between two checkpoints. */
export interface FileChange {
  readonly path: WorkspacePath;
  /** The previous path of a renamed file. */
  readonly oldPath?: WorkspacePath;
  /** `mode`: only the permissions differ. A change between file and link is `modified`. */
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'mode';
  /** Number of lines; 0 for binary content. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  /** Absent for `added`. */
  readonly before?: FileEntry;
  /** Absent for `deleted`. */
  readonly after?: FileEntry;
  /**
   * Set for `added` if the earlier checkpoint did not cover the path (ignored, too large, late …): the file may have
   * existed, so an undo must not delete it.
   */
  readonly wasUncovered?: true;
  /** `modified`, and over the limit for one file since: the content of `after` is not stored. Its lines are not counted. */
  readonly isTooLarge?: true;
}
