import type {
  ChangedFile,
  ChangedPath,
  MoreFiles,
  OmittedFile,
  RestoredFile,
} from '../event/changes-event.ts';
import type { SessionParams } from './hub-methods.ts';

/** Methods of the hub for the changes of a session. */
export const changesMethods = {
  /** Request, {@link SessionParams}: returns the changes by turn, a {@link ChangesList}. */
  listChanges: '_parley/changes/list',
  /** Request, {@link DiffParams}: returns a {@link ChangesDiff}. */
  diffChanges: '_parley/changes/diff',
  /** Request, {@link ContentParams}: returns a {@link ChangedContent}. */
  changedContent: '_parley/changes/content',
  /** Request, {@link UndoParams}: returns a {@link RestoreResult}. */
  undoChanges: '_parley/changes/undo',
  /** Request, {@link RedoParams}: returns a {@link RestoreResult}. */
  redoChanges: '_parley/changes/redo',
  /** Request, {@link HunksParams}: returns a {@link HunksResult}. */
  keepHunks: '_parley/changes/keep',
  /** Request, {@link HunksParams}: returns a {@link HunksResult}. */
  revertHunks: '_parley/changes/revert',
  /** Request, {@link CommitParams}: returns a {@link CommitResult}. */
  commitChanges: '_parley/changes/commit',
} as const;

/** The changes of a session by turn. */
export interface ChangesList {
  readonly sessionId: string;
  readonly workspace: string;
  /** The turns with changes, oldest first. */
  readonly turns: readonly ListedTurn[];
}

/** A turn with changes. */
export interface ListedTurn {
  /** Its number in the session, from 1. */
  readonly turn: number;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Whether everything that `undo` would undo was undone. */
  readonly undone: boolean;
  readonly files: readonly ListedFile[];
  /** Files beyond the limit of the list. */
  readonly more?: MoreFiles;
  readonly omitted: readonly OmittedFile[];
  /** The checkpoints of the turn are not stored here: it cannot be shown by line or undone. */
  readonly unavailable?: Unavailable;
}

/** Why checkpoints are not stored here. */
export interface Unavailable {
  /** The machine that took them. @default they were removed, by age or size */
  readonly machine?: string;
}

/** A file that a turn changed. */
export interface ListedFile extends ChangedFile {
  readonly undone?: true;
}

/** The changes to return. */
export interface DiffParams extends SessionParams {
  /** @default the whole session, except undone changes */
  readonly turn?: number;
  /** Files, and folders for all files in them, relative to the session's folder. @default all */
  readonly paths?: readonly ChangedPath[];
  /** Whether reviewed hunks are omitted. @default false */
  readonly unreviewed?: boolean;
}

/** Changes by hunk. */
export interface ChangesDiff {
  readonly files: readonly DiffFile[];
  readonly omitted: readonly OmittedFile[];
  /** Turns that are not in it, because their checkpoints are not stored here. @default none */
  readonly unavailable?: readonly UnavailableTurn[];
  /** The session's folder is in no git repository, where nothing can be committed. @default it is in one */
  readonly noRepository?: true;
}

/** A turn whose checkpoints are not stored here. */
export interface UnavailableTurn extends Unavailable {
  readonly turn: number;
}

/** A changed file by hunk. */
export interface DiffFile extends ChangedFile {
  /** The git mode: `100644`, `100755` or `120000`. */
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly hunks: readonly DiffHunk[];
}

/** Changed lines with their context. */
export interface DiffHunk {
  /** Stable while the hunk is unchanged. */
  readonly id: string;
  readonly header: string;
  readonly lines: readonly string[];
  /** Set if the hunk was marked as reviewed. */
  readonly reviewed?: true;
}

/** One side of a changed file. */
export interface ContentParams extends SessionParams {
  readonly path: ChangedPath;
  readonly side: 'before' | 'after';
  /** @default the whole session, except undone changes */
  readonly turn?: number;
}

/** The content of a file; for a large one, only its size. */
export interface ChangedContent {
  readonly base64?: string;
  readonly size: number;
}

/** Options of an undo. */
export interface UndoParams extends SessionParams {
  /** @default the last turn with changes to undo */
  readonly turn?: number;
  /** Files, and folders for all files in them. @default all files that tool calls reported */
  readonly paths?: readonly ChangedPath[];
  /** Whether to change nothing and only report. @default false */
  readonly dryRun?: boolean;
  /** Whether to overwrite conflicting later edits. @default nothing is written on a conflict */
  readonly force?: boolean;
  /** Whether files that no tool call reported are included. @default false */
  readonly unreported?: boolean;
}

/** Options of a redo. */
export interface RedoParams extends SessionParams {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** The result of an undo or a redo. */
export interface RestoreResult {
  /** The turn. @default a revert was redone */
  readonly undone?: number;
  readonly files: readonly RestoredFile[];
  /** If not empty, nothing was written. */
  readonly conflicts: readonly RestoreConflict[];
  /** Files of the turn that were not changed, because no tool call reported them. */
  readonly unreported: readonly ChangedPath[];
  /** Later turns that an undo without a turn passed over. @default none */
  readonly skipped?: readonly SkippedTurn[];
}

/** A turn of which no tool call reported a change. */
export interface SkippedTurn {
  readonly turn: number;
  readonly unreported: readonly ChangedPath[];
}

/** A file that cannot be restored without losing a later change. */
export interface RestoreConflict {
  readonly path: ChangedPath;
  /** The file is too large to be stored first: `force` does not replace it either. @default it was changed again */
  readonly why?: 'too-large';
}

/** The hunks to mark as reviewed, or to revert. */
export interface HunksParams extends SessionParams {
  readonly hunks: readonly string[];
}

/** The files of the hunks. */
export interface HunksResult {
  readonly files: readonly { readonly path: ChangedPath }[];
  /** If not empty, nothing was written. */
  readonly conflicts: readonly RestoreConflict[];
}

/** Options of a commit. */
export interface CommitParams extends SessionParams {
  readonly message: string;
}

/** The commit. */
export interface CommitResult {
  /** The id of the commit; absent on a conflict. */
  readonly commit?: string;
  readonly files: readonly { readonly path: ChangedPath }[];
  /** Files that cannot be committed without edits of others. If not empty, nothing was committed. */
  readonly conflicts: readonly { readonly path: ChangedPath }[];
  /** Files with changes that are not part of it, because no tool call accounts for them. */
  readonly unreported: readonly ChangedPath[];
  /** Changed files that are not part of it, because no checkpoint has their contents, such as large ones. */
  readonly omitted: readonly OmittedFile[];
  /** Turns that are not part of it, because their checkpoints are not stored here. @default none */
  readonly unavailable?: readonly UnavailableTurn[];
}
