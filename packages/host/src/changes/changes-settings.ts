import path from 'node:path';
import type { RestoredFile } from '../event/changes-event.ts';

/** How the files of sessions are covered in a folder. */
export interface ChangesSettings {
  /** Parley's state folder: checkpoints, and what processes have to know of each other. */
  readonly stateDir: string;
  /** Larger files are left out. @default 10 MiB */
  readonly maxFileBytes?: number;
  /** What the checkpoints of a folder may take; the oldest are removed. @default 2 GiB */
  readonly maxBytes?: number;
  /**
   * How long a prompt waits for the checkpoint before its turn. It goes out then, and files that change since are left out.
   * @default 5000
   */
  readonly promptWaitMs?: number;
}

/** How long a prompt waits for the checkpoint before its turn, unless the settings say otherwise. */
export const defaultPromptWaitMs = 5000;

/** How long a write through the client waits for that checkpoint. */
export const writeWaitMs = 60_000;

/** How many files an event lists; the others are counted. */
export const mostListedFiles = 10_000;

/** Of the sessions in a state folder: turns that run, restores, and events that wait for the owner of their session. */
export function activityFolder(stateDir: string): string {
  return path.join(stateDir, 'changes');
}

/** How many files that are left out an event lists. */
export const mostOmittedFiles = 1000;

/** How long a turn that has ended waits for its checkpoints. What it changed is not known then. */
export const turnEndWaitMs = 10_000;

/** The files that the event of a restore lists. */
export function listedFiles(files: readonly RestoredFile[]): {
  readonly files: readonly RestoredFile[];
  readonly hasMore?: true;
} {
  if (files.length <= mostListedFiles) return { files };
  return { files: files.slice(0, mostListedFiles), hasMore: true };
}
