import type {
  ChangedFile,
  ChangedPath,
  MoreFiles,
  OmittedFile,
  RestoredFile,
} from '../event/changes-event.ts';
import type { SessionParams } from './hub-methods.ts';

/** What the turns of a session changed. */
export interface ChangesList {
  readonly sessionId: string;
  readonly workspace: string;
  /** Those that changed something, the oldest first. */
  readonly turns: readonly ListedTurn[];
}

/** A turn that changed something. */
export interface ListedTurn {
  /** Its number in the session, from 1. */
  readonly turn: number;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** All that `undo` takes back of it has been undone. */
  readonly undone: boolean;
  readonly files: readonly ListedFile[];
  /** Files beyond the bound of the list. */
  readonly more?: MoreFiles;
  readonly omitted: readonly OmittedFile[];
}

/** A file that a turn changed. */
export interface ListedFile extends ChangedFile {
  readonly undone?: true;
}

/** Which changes are meant. */
export interface DiffParams extends SessionParams {
  /** @default the whole session, less what was undone */
  readonly turn?: number;
  /** Files, and folders for their files, below the session's folder. @default all */
  readonly paths?: readonly ChangedPath[];
  /** Leaves out the hunks that were kept. @default false */
  readonly unreviewed?: boolean;
}

/** Changes by hunk. */
export interface ChangesDiff {
  readonly files: readonly DiffFile[];
  readonly omitted: readonly OmittedFile[];
}

/** A changed file by hunk. */
export interface DiffFile extends ChangedFile {
  /** git's: `100644`, `100755` or `120000`. */
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly hunks: readonly DiffHunk[];
}

/** Lines that changed, with those around them. */
export interface DiffHunk {
  /** Stable while the hunk is unchanged. */
  readonly id: string;
  readonly header: string;
  readonly lines: readonly string[];
  /** It was kept. */
  readonly reviewed?: true;
}

/** One side of a changed file. */
export interface ContentParams extends SessionParams {
  readonly path: ChangedPath;
  readonly side: 'before' | 'after';
  /** @default the whole session, less what was undone */
  readonly turn?: number;
}

/** What a file held; of a large one, only its size. */
export interface ChangedContent {
  readonly base64?: string;
  readonly size: number;
}

/** What is undone, and how. */
export interface UndoParams extends SessionParams {
  /** @default the last turn that changed something */
  readonly turn?: number;
  /** Files, and folders for their files. @default all that tool calls account for */
  readonly paths?: readonly ChangedPath[];
  /** Writes nothing. @default false */
  readonly dryRun?: boolean;
  /** Takes the state before the turn where it conflicts with later edits. @default nothing is written then */
  readonly force?: boolean;
  /** Also the files that no tool call accounts for. @default false */
  readonly unreported?: boolean;
}

/** How an undo is taken back. */
export interface RedoParams extends SessionParams {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** What an undo or a redo did, or would do. */
export interface RestoreResult {
  /** The turn. @default a revert was taken back */
  readonly undone?: number;
  readonly files: readonly RestoredFile[];
  /** Where there are any, nothing was written. */
  readonly conflicts: readonly { readonly path: ChangedPath }[];
  /** Files of the turn that were left alone, because no tool call accounts for them. */
  readonly unreported: readonly ChangedPath[];
}

/** Which hunks are kept or reverted. */
export interface HunksParams extends SessionParams {
  readonly hunks: readonly string[];
}

/** The files of the hunks. */
export interface HunksResult {
  readonly files: readonly { readonly path: ChangedPath }[];
  /** Where there are any, nothing was written. */
  readonly conflicts: readonly { readonly path: ChangedPath }[];
}

/** How the changes of a session are committed. */
export interface CommitParams extends SessionParams {
  readonly message: string;
}

/** What was committed. */
export interface CommitResult {
  /** Its id; absent where there are conflicts. */
  readonly commit?: string;
  readonly files: readonly { readonly path: ChangedPath }[];
  /** Files that cannot be committed without edits of others. Where there are any, nothing was committed. */
  readonly conflicts: readonly { readonly path: ChangedPath }[];
  /** Changed files that are not part of it, because no tool call accounts for them. */
  readonly unreported: readonly ChangedPath[];
}
