import type { ChangedFile, ChangedPath, MoreFiles, OmittedFile } from '../event/changes-event.ts';

/** The changes of a session's turns, and which of them users undid, marked as reviewed or reverted. */
export interface ChangesState {
  /** Number of turns so far. */
  readonly turnCount: number;
  /** Turns that changed something, the oldest first. */
  readonly turns: readonly ChangedTurn[];
  /** Undos and reverts that a redo would undo, oldest first. */
  readonly undos: readonly UndoState[];
  /** Ids of the hunks that were kept. */
  readonly kept: readonly string[];
  /** Files that users changed by undo, redo and revert since the last prompt: the next one names them to the agent. */
  readonly unannounced: readonly ChangedPath[];
  /** Operations that were seen: their events may be stored twice. */
  readonly operations: readonly string[];
}

/** A turn that changed something. */
export interface ChangedTurn {
  /** The number of its event. */
  readonly seq: number;
  readonly turn: number;
  readonly turnId: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The checkpoints before and after it. */
  readonly before: string;
  readonly after: string;
  /** The machine that has them. @default this one */
  readonly machine?: string;
  readonly files: readonly ChangedFileState[];
  readonly more?: MoreFiles & { readonly undone?: true };
  readonly omitted: readonly OmittedFile[];
}

/** A file that a turn changed. */
export interface ChangedFileState extends ChangedFile {
  readonly undone?: true;
}

/** An undo or a revert. */
export interface UndoState {
  readonly id: string;
  /** The number of its event. */
  readonly seq: number;
  /** The turn; a revert has none. */
  readonly turn?: number;
  /** The files of the turn that it undid. @default all */
  readonly paths?: readonly ChangedPath[];
  /** The checkpoints before and after it. */
  readonly before: string;
  readonly after: string;
  /** The files that it wrote; undefined if there are too many. */
  readonly written?: readonly ChangedPath[];
}

/** A session without turns. */
export const noChanges: ChangesState = {
  turnCount: 0,
  turns: [],
  undos: [],
  kept: [],
  unannounced: [],
  operations: [],
};
