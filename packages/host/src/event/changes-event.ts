import type { Sender } from './sender.ts';

/** A path relative to the session's folder, with slashes; its bytes if it is not UTF-8. */
export type ChangedPath = string | { readonly base64: string };

/** How a file differs between two checkpoints. */
export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'mode';

/** A file that a turn changed. */
export interface ChangedFile {
  readonly path: ChangedPath;
  /** The previous path of a renamed file. */
  readonly oldPath?: ChangedPath;
  readonly status: ChangeStatus;
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
  /** Whether a tool call reported the change. Otherwise the user may have made it. */
  readonly reported: boolean;
}

/** Number of files that are not listed individually. */
export interface MoreFiles {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  /** Like {@link ChangedFile.reported}, for all of them. */
  readonly reported: boolean;
}

/** A file that is not covered: its content before or after the turn is unknown. */
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
  /** The machine that has these checkpoints, where several machines share the event log. @default this one */
  readonly machine?: string;
  readonly files: readonly ChangedFile[];
  readonly more?: MoreFiles;
  readonly omitted: readonly OmittedFile[];
  readonly startedAt: number;
  /** When the turn was last known to be running, for one that was closed later. @default the time of this event */
  readonly endedAt?: number;
}

/** Fields of each event that records a user's operation on changes. */
interface ChangesOperation {
  /** Id of the operation. Its event may be appended by another process, and is applied once. */
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

/** The result of a restore for one file. */
export interface RestoredFile {
  readonly path: ChangedPath;
  /** `restored`, `merged`, `removed`, … */
  readonly action: string;
}

/** Changes of a turn were undone. */
export interface ChangesUndoneEvent extends ChangesWritten {
  readonly type: 'changes-undone';
  readonly turn: number;
  /** The undone files of the turn, as its `changes` event names them. @default all listed and unlisted files */
  readonly paths?: readonly ChangedPath[];
}

/** An undo or a revert was redone. */
export interface ChangesRedoneEvent extends ChangesWritten {
  readonly type: 'changes-redone';
  /** The operation that was redone. */
  readonly undo: string;
}

/** Hunks were marked as reviewed. */
export interface HunksKeptEvent extends ChangesOperation {
  readonly type: 'hunks-kept';
  readonly hunks: readonly string[];
}

/** Hunks were removed from the files. */
export interface HunksRevertedEvent extends ChangesWritten {
  readonly type: 'hunks-reverted';
  readonly hunks: readonly string[];
}

/** The session's changes were committed. */
export interface ChangesCommittedEvent extends ChangesOperation {
  readonly type: 'changes-committed';
  readonly commit: string;
  readonly paths: readonly ChangedPath[];
}

/** An operation of a user on the changes of a session. */
export type ChangesOperationEvent =
  | ChangesUndoneEvent
  | ChangesRedoneEvent
  | HunksKeptEvent
  | HunksRevertedEvent
  | ChangesCommittedEvent;
