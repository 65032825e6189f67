import path from 'node:path';
import type { OpenCheckpoints } from '@parley/workspace/checkpoint';
import type { RestoredFile } from '../event/changes-event.ts';

/** How changes are recorded in a folder. */
export interface ChangesSettings {
  /** Parley's state folder, for checkpoints and locks between processes. */
  readonly stateDir: string;
  /** Larger files are omitted. @default 10 MiB */
  readonly maxFileBytes?: number;
  /** Total size of the checkpoints of a folder; the oldest are removed first. @default 2 GiB */
  readonly maxBytes?: number;
  /**
   * How long a prompt waits for the checkpoint before its turn. It is then sent, and files that change later are
   * omitted. @default 2000
   */
  readonly promptWaitMs?: number;
  /** The name of this machine, where several machines share the event logs. @default events do not name it */
  readonly machine?: string;
  /** Shares checkpoints between the sessions of a process. @default each session opens its own */
  readonly open?: OpenCheckpoints;
}

/** How long a prompt waits for the checkpoint before its turn, unless the settings set another limit. */
export const defaultPromptWaitMs = 2000;

/** How long a write through the client waits for that checkpoint. */
export const writeWaitMs = 60_000;

/** Files that an event lists; further ones are counted. */
export const mostListedFiles = 10_000;

/** Size of a file that is sent as a whole: 8 MiB. */
export const mostContentBytes: number = 8 * 1024 * 1024;

/** Of the sessions in a state folder: turns that run, restores, and events that wait for the owner of their session. */
export function activityFolder(stateDir: string): string {
  return path.join(stateDir, 'changes');
}

/** Omitted files that an event lists. */
export const mostOmittedFiles = 1000;

/** How long the end of a turn waits for its checkpoints. After that, its changes are unknown. */
export const turnEndWaitMs = 30_000;

/** The files that the event of a restore lists. */
export function listedFiles(files: readonly RestoredFile[]): {
  readonly files: readonly RestoredFile[];
  readonly hasMore?: true;
} {
  if (files.length <= mostListedFiles) return { files };
  return { files: files.slice(0, mostListedFiles), hasMore: true };
}
