import { Buffer } from 'node:buffer';
import { readSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { BytePath } from '../../checkpoint/workspace-path.ts';
import { WorkspaceError, systemCode } from '../../error.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { syncDirectory } from '../../log/sync-directory.ts';
import { smallBytes } from '../look.ts';
import type { RestoredFile } from '../plan.ts';

/** A restore on disk: enough to complete it, or to take it back, after a kill. */
export interface RestoreRecord {
  readonly version: 1;
  /** What the caller needs to know again when it is finished after a kill. */
  readonly note: unknown;
  readonly files: readonly RestoredFile[];
  readonly steps: readonly RecordedStep[];
  /** Folders that go before a file takes their name, the deepest first. */
  readonly clearedFolders: readonly RecordedFolder[];
  /** Folders that are created, the deepest last. */
  readonly newFolders: readonly RecordedFolder[];
  /** Folders that go at the end, if they are empty then, the deepest first. */
  readonly madeFolders: readonly BytePath[];
  /** Folders that are created at the end, where no file has their name by then, the deepest last. */
  readonly emptyFolders: readonly RecordedFolder[];
}

/** A folder with its permission bits. */
export interface RecordedFolder {
  readonly path: BytePath;
  readonly permissions: number;
}

/** A path that changes from one state to another. */
export interface RecordedStep {
  readonly path: BytePath;
  readonly from: RecordedState;
  readonly to: RecordedState;
  /** Where its new content waits (`….new`), and its old one stays until the end (`….old`). */
  readonly beside: BytePath;
  /** Where its new content is in the file `contents`. */
  readonly offset: number;
  readonly length: number;
}

/** What a path is. */
export type RecordedState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly permissions: number; readonly blob: string }
  /** `target`: one character for each byte. */
  | { readonly kind: 'link'; readonly target: string };

/** The progress of a restore: it may be completed, must be rolled back, or only its leftovers have to be removed. */
export type RestorePhase = 'plan' | 'back' | 'done';

const phases: readonly RestorePhase[] = ['done', 'back', 'plan'];

/** Writes a record; from then on the restore is completed or rolled back after any kill. */
export async function writeRecord(folder: string, record: RestoreRecord): Promise<void> {
  await replaceFile(path.join(folder, 'plan.json'), JSON.stringify(record));
  await syncDirectory(folder);
}

/** Makes the folder of a restore, and opens the file for its contents. */
export async function createRecordFolder(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return open(contentsOf(folder), 'wx', 0o600);
}

/** Enters another phase. Needs no room on the disk. */
export async function enterPhase(folder: string, from: RestorePhase, to: RestorePhase): Promise<void> {
  await rename(path.join(folder, `${from}.json`), path.join(folder, `${to}.json`));
  await syncDirectory(folder);
}

/** Removes all of a restore from the state folder: its phase first, so that no half of it is found. */
export async function removeRecord(folder: string, phase: RestorePhase): Promise<void> {
  await rm(path.join(folder, `${phase}.json`), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Reads a record; undefined where the restore was killed before it was planned: then nothing was touched. */
export async function readRecord(
  folder: string,
): Promise<{ readonly phase: RestorePhase; readonly record: RestoreRecord } | undefined> {
  for (const phase of phases) {
    try {
      return {
        phase,
        record: parseRecord(await readFile(path.join(folder, `${phase}.json`), 'utf8'), folder),
      };
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

/** The new contents of a restore. */
export interface RecordedContents extends AsyncDisposable {
  read(step: RecordedStep): Promise<Uint8Array>;
}

/** Opens the new contents, to write them into the workspace. */
export async function openContents(folder: string): Promise<RecordedContents> {
  const file = await open(contentsOf(folder), 'r');
  return {
    async read({ offset, length }) {
      const content = Buffer.allocUnsafe(length);
      for (let done = 0; done < length;) {
        const [left, from] = [length - done, offset + done];
        const bytesRead =
          length <= smallBytes
            ? readSync(file.fd, content, done, left, from)
            : (await file.read(content, done, left, from)).bytesRead;
        if (bytesRead === 0) throw damaged(folder);
        done += bytesRead;
      }
      return content;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

function contentsOf(folder: string): string {
  return path.join(folder, 'contents');
}

/** The file is Parley's own and replaced atomically: only a record of another version can be invalid. */
function parseRecord(text: string, folder: string): RestoreRecord {
  const value: unknown = parseJson(text);
  if (!isRecord(value)) throw damaged(folder);
  return value;
}

function isRecord(value: unknown): value is RestoreRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    ['files', 'steps', 'clearedFolders', 'newFolders', 'madeFolders', 'emptyFolders'].every((name) =>
      Array.isArray(Object.entries(value).find(([key]) => key === name)?.[1]),
    )
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported as damaged.
    return undefined;
  }
}

function damaged(folder: string): WorkspaceError {
  const message = `read the restore in ${JSON.stringify(folder)}: it is damaged, or of another version`;
  return new WorkspaceError('damaged', message, { path: folder });
}
