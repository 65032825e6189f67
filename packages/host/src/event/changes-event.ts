import type { Sender } from './sender.ts';

/** A path below the session's folder, with slashes; its bytes where they are not UTF-8. */
export type ChangedPath = string | { readonly base64: string };

/** How a file differs between two checkpoints. */
export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'mode';

/** A file that a turn changed. */
export interface ChangedFile {
  readonly path: ChangedPath;
  /** Where it was, if it was renamed. */
  readonly oldPath?: ChangedPath;
  readonly status: ChangeStatus;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  /** Whether a tool call accounts for it. The user may have made the other changes. */
  readonly reported: boolean;
}

/** Files that are not listed one by one. */
export interface MoreFiles {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  /** As {@link ChangedFile.reported}: the same for all of them. */
  readonly reported: boolean;
}

/** A file that is not covered: what it held before the turn, or after it, is not known. */
export interface OmittedFile {
  readonly path: ChangedPath;
  /** `too-large`, `special`, `unreadable`, `repository`, `late`, `ignored`, … */
  readonly why: string;
}

/** A turn changed files of its session's folder. */
export interface ChangesEvent {
  readonly type: 'changes';
  readonly sessionId: string;
  /** The number of the turn in its session, from 1. */
  readonly turn: number;
  readonly turnId: string;
  /** The checkpoints before and after the turn. */
  readonly before: string;
  readonly after: string;
  readonly files: readonly ChangedFile[];
  readonly more?: MoreFiles;
  readonly omitted: readonly OmittedFile[];
  readonly startedAt: number;
  /** When the turn was last known to run, for one that was closed later. @default the time of this event */
  readonly endedAt?: number;
}

/** What each change of a user to what turns did has. */
interface ChangesOperation {
  /** Identifies the operation: its event may be appended by another process, and counts once. */
  readonly id: string;
  readonly from?: Sender;
}

/** An operation that wrote files. */
interface ChangesWritten extends ChangesOperation {
  /** The checkpoints before and after it. */
  readonly before: string;
  readonly after: string;
  readonly files: readonly RestoredFile[];
  /** It wrote more files than are listed. */
  readonly hasMore?: true;
}

/** What a restore did with a file. */
export interface RestoredFile {
  readonly path: ChangedPath;
  /** `restored`, `merged`, `removed`, … */
  readonly action: string;
}

/** Changes of a turn were undone. */
export interface ChangesUndoneEvent extends ChangesWritten {
  readonly type: 'changes-undone';
  readonly turn: number;
  /** The files of the turn that were undone, as its `changes` event names them. @default all that are listed, and the others */
  readonly paths?: readonly ChangedPath[];
}

/** An undo, or a revert, was taken back. */
export interface ChangesRedoneEvent extends ChangesWritten {
  readonly type: 'changes-redone';
  /** The operation that was taken back. */
  readonly undo: string;
}

/** Hunks were marked as reviewed. */
export interface HunksKeptEvent extends ChangesOperation {
  readonly type: 'hunks-kept';
  readonly hunks: readonly string[];
}

/** Hunks were taken out of the files. */
export interface HunksRevertedEvent extends ChangesWritten {
  readonly type: 'hunks-reverted';
  readonly hunks: readonly string[];
}

/** What the session changed was committed. */
export interface ChangesCommittedEvent extends ChangesOperation {
  readonly type: 'changes-committed';
  readonly commit: string;
  readonly paths: readonly ChangedPath[];
}

/** What a user did with the changes of a session. */
export type ChangesOperationEvent =
  | ChangesUndoneEvent
  | ChangesRedoneEvent
  | HunksKeptEvent
  | HunksRevertedEvent
  | ChangesCommittedEvent;
