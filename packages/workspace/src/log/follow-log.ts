import { constants, watch, type FSWatcher } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { toWorkspaceError } from '../error.ts';
import { checkHeader, type LogFormat, noLog } from './log-format.ts';
import { readLine } from './log-line.ts';
import { defaultMaxLineBytes } from './log.ts';
import { linesOf } from './scan-log.ts';

/** Interval of checks for changes of a file if the system does not report them. */
const pollMs = 1000;

/** Options of `followLog`. */
export interface FollowLogOptions {
  readonly format: LogFormat;
  /** Aborting ends the records. */
  readonly signal: AbortSignal;
  /** A longer line is skipped. @default 64 MiB */
  readonly maxLineBytes?: number;
  /** The position of a part that was read before. @default the beginning */
  readonly from?: number;
}

/** Records of a log that were read together. */
export interface LogPart {
  readonly records: readonly unknown[];
  /** Whether no further records existed when they were read. */
  readonly isAtEnd: boolean;
  /** The position after these records. */
  readonly position: number;
}

/**
 * Yields the existing records of a log, then each new one when it is written. Damaged lines are skipped. A log
 * without records yields an empty first part.
 *
 * @throws {WorkspaceError} The file does not exist, or is not such a log.
 */
export async function* followLog(
  file: string,
  { format, signal, maxLineBytes = defaultMaxLineBytes, from = 0 }: FollowLogOptions,
): AsyncGenerator<LogPart, void, undefined> {
  await using handle = await openToRead(file);
  // Watched before it is read: what is written meanwhile is not missed.
  using changes = watchFile(file, signal);
  const isOver = (): boolean => signal.aborted;
  let position = Math.min(from, (await handle.stat()).size);
  let wasAtEnd = false;
  while (!isOver()) {
    let records: unknown[] = [];
    for await (const lines of linesOf(handle, maxLineBytes, position)) {
      if (records.length > 0) {
        wasAtEnd = false;
        yield { records, isAtEnd: false, position };
        if (isOver()) return;
      }
      records = [];
      for (const line of lines) {
        const isFirst = position === 0;
        position += line.bytes;
        const found = line.text === undefined ? undefined : readLine(line.text);
        if (isFirst) {
          if (found?.isWhole !== true) throw noLog(format, file);
          checkHeader(found.record, format, file);
        } else if (found?.isWhole === true) {
          records.push(found.record);
        }
      }
    }
    if (isOver()) return;
    if (!wasAtEnd || records.length > 0) {
      wasAtEnd = true;
      yield { records, isAtEnd: true, position };
    }
    // A writer that was ended in the middle may have left a line that the next one cuts off.
    position = Math.min(position, (await handle.stat()).size);
    await changes.next();
  }
}

async function openToRead(file: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    throw toWorkspaceError(error, 'follow', file);
  }
}

interface FileChanges extends Disposable {
  /** Settles when the file may have changed since it was asked last, or the signal is aborted. */
  next(): Promise<void>;
}

function watchFile(file: string, signal: AbortSignal): FileChanges {
  let hasChanged = false;
  let wake: () => void = () => {};
  const notify = (): void => {
    hasChanged = true;
    wake();
  };
  const watcher = startWatching(file, notify);
  signal.addEventListener('abort', notify);
  return {
    async next() {
      if (!hasChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasChanged = false;
    },
    [Symbol.dispose]() {
      watcher?.close();
      signal.removeEventListener('abort', notify);
    },
  };
}

/** Watches the file; polls it if the system cannot watch it or watches too many files. */
function startWatching(file: string, notify: () => void): FSWatcher | undefined {
  try {
    return watch(file, notify).on('error', notify);
  } catch {
    return undefined;
  }
}
