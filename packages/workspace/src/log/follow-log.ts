import { constants, watch, type FSWatcher } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { toWorkspaceError } from '../error.ts';
import { checkHeader, type LogFormat, noLog } from './log-format.ts';
import { readLine } from './log-line.ts';
import { defaultMaxLineBytes } from './log.ts';
import { linesOf } from './scan-log.ts';

/** How long at most a change of the file goes unseen where the system does not report it. */
const pollMs = 1000;

/** What is followed, and how long. */
export interface FollowLogOptions {
  readonly format: LogFormat;
  /** Aborted when enough was seen: the records end then. */
  readonly signal: AbortSignal;
  /** A longer line is passed over. @default 64 MiB */
  readonly maxLineBytes?: number;
  /** Where to begin: the position of a part that was read before. @default the beginning */
  readonly from?: number;
}

/** Records of a log that were read together. */
export interface LogPart {
  readonly records: readonly unknown[];
  /** There was nothing behind them when they were read. */
  readonly isAtEnd: boolean;
  /** Where reading can begin again, behind these records. */
  readonly position: number;
}

/**
 * The records of a log: those that are there, then each as it is written. Lines that are damaged are passed over. A log
 * without a record has its first part, too.
 *
 * @throws {WorkspaceError} There is no such file, or it is no such log.
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

/** Where the system watches no files, or too many are watched already, the file is looked at from time to time. */
function startWatching(file: string, notify: () => void): FSWatcher | undefined {
  try {
    return watch(file, notify).on('error', notify);
  } catch {
    return undefined;
  }
}
