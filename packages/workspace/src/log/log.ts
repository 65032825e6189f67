import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { toWorkspaceError, WorkspaceError } from '../error.ts';
import { type LogFile, toLogFile } from './log-file.ts';
import { type LogFormat, toHeader } from './log-format.ts';
import { type FlushPace, LogWriter } from './log-writer.ts';
import { type LogScan, scanLog } from './scan-log.ts';

/** The longest line when nothing else is said. */
export const defaultMaxLineBytes: number = 64 * 1024 * 1024;

/** What a reader of a log has to know. */
export interface ReadLogOptions {
  readonly format: LogFormat;
  /** Takes each record, in order; a promise is waited for, and what it throws ends the reading. */
  readonly read?: (record: unknown) => void | Promise<void>;
  /** The longest line, newline included. A longer one counts as damaged, and is refused in writing. @default 64 MiB */
  readonly maxLineBytes?: number;
}

/** What a reader has to know who does not need all of a log. */
export interface ReadPartOptions extends ReadLogOptions {
  /**
   * Whether a record is to be read, by its text as JSON. The others are passed over: not even their checksum is looked
   * at. @default all are
   */
  readonly wants?: (json: string) => boolean;
}

/** What a writer of a log has to know. */
export interface OpenLogOptions extends ReadLogOptions {
  /** Refuses to open a log that is there already, or one that is not. @default either will do */
  readonly expect?: 'new' | 'existing';
  /**
   * How long lines gather after a write, milliseconds. A write costs more than many lines; what gathers is lost when the
   * process is killed. @default 0
   */
  readonly gatherMs?: number;
  /**
   * Called with the reason when writing begins to fail, and without one when it works again. Must not throw. @default the
   * callers of `flush` and `sync` learn it
   */
  readonly onTrouble?: (error?: WorkspaceError) => void;
  /** What is written to instead of the file itself: one that checks a lock first, or a disk that fails. @default the file */
  readonly through?: (file: LogFile) => LogFile;
}

/** Bytes of lines that wait while the file takes none: 8 MiB. */
const maxHeldBytes: number = 8 * 1024 * 1024;

/**
 * A file of records, one a line, that only grows. What was appended is in the file after `flush`, where it survives
 * the end of this process, and on the disk after `sync`, where it survives the end of the machine.
 *
 * While the file cannot be written, because the disk is full for example, what is appended waits in memory. Writing is tried
 * again each second, and by each `flush` and `sync`, which reject until it works. See docs/decisions/0029-a-full-disk.md.
 */
export interface Log extends AsyncDisposable {
  readonly path: string;
  /** The version that its first line says. */
  readonly version: number;
  /** What was lost before: bytes cut off the end, because a writer was ended in the middle, and damaged lines within. */
  readonly lost: LostRecords;
  /** Bytes that were appended and are not in the file yet. */
  readonly waitingBytes: number;
  /**
   * Appends a record. What is appended in the same tick, or within `gatherMs` of the last write, is written in one piece.
   *
   * @throws {WorkspaceError} `too-large`, or too much waits already for a file that cannot be written: nothing was appended.
   */
  append(record: unknown): void;
  /** Appends a record that is JSON already, in one line. @throws {WorkspaceError} As `append` does. */
  appendJson(json: string): void;
  /**
   * Appends a record that is JSON already, and can become longer until it is written.
   *
   * @param tail What ends the record, behind `json`.
   * @throws {WorkspaceError} As `append` does.
   */
  appendOpen(json: string, tail: string): void;
  /**
   * Adds to the record that was appended last, if that was by `appendOpen`: `piece` before its end, which is another one now.
   * False when the record is on its way to the file, or long enough: nothing was added.
   */
  extend(piece: string, tail: string): boolean;
  /**
   * Appends a record that is JSON already, and has it in the file when it returns, which holds up the program for as long as
   * the system takes it: some microseconds, unless the disk is far behind. A promise when others are being written just now.
   * A record that cannot be written now is dropped: it is not written later.
   *
   * @throws {WorkspaceError} As `append` does, and what writing it failed with.
   */
  appendJsonNow(json: string): void | Promise<void>;
  /** Settles when all that was appended is in the file. Rejects when it is not; it still waits, and may get there later. */
  flush(pace?: FlushPace): Promise<void>;
  /** Settles when all that was appended is on the disk. */
  sync(): Promise<void>;
  /** Writes what is left, and closes the file. */
  close(): Promise<void>;
}

/** What of a log could not be read. */
export interface LostRecords {
  /** Bytes behind the last whole line. */
  readonly tailBytes: number;
  /** Lines between whole ones. */
  readonly damagedLines: number;
}

/**
 * Opens a log for writing; the file is made readable for its owner only, as are directories that are missing. One
 * writer at a time: that is the caller's to see to. A line at the end that is not whole is cut off first.
 */
export async function openLog(file: string, options: OpenLogOptions): Promise<Log> {
  const { format, maxLineBytes = defaultMaxLineBytes, gatherMs = 0, onTrouble, through } = options;
  const handle = await openFile(file, options.expect);
  try {
    const scan = await scanWith(handle, file, options);
    if (scan.tailBytes > 0) await handle.truncate(scan.goodBytes);
    const target = toLogFile(handle);
    const writer = new LogWriter(through?.(target) ?? target, {
      path: file,
      bytes: scan.goodBytes,
      maxLineBytes,
      gatherMs,
      maxHeldBytes,
      ...(onTrouble !== undefined && { onTrouble }),
    });
    if (scan.goodBytes === 0) writer.append(JSON.stringify(toHeader(format)));
    return toLog(file, scan, writer);
  } catch (error) {
    await handle.close();
    throw toLogError(error, 'open', file);
  }
}

/**
 * Reads a log from its beginning to where it ends now. Changes nothing: what a writer is in the middle of is left
 * out, and counts as `tailBytes`.
 */
export async function readLog(file: string, options: ReadPartOptions): Promise<LostRecords> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { tailBytes, damagedLines } = await scanWith(handle, file, options);
    return { tailBytes, damagedLines };
  } catch (error) {
    throw toLogError(error, 'read', file);
  }
}

function scanWith(handle: FileHandle, file: string, options: ReadPartOptions): Promise<LogScan> {
  const { format, read = () => undefined, wants = () => true, maxLineBytes = defaultMaxLineBytes } = options;
  return scanLog(handle, { path: file, format, maxLineBytes, read, wants });
}

async function openFile(file: string, expect: OpenLogOptions['expect']): Promise<FileHandle> {
  const { O_RDWR, O_APPEND, O_NOFOLLOW, O_CREAT, O_EXCL } = constants;
  const create = expect === 'existing' ? 0 : expect === 'new' ? O_CREAT | O_EXCL : O_CREAT;
  try {
    if (create !== 0) await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, O_RDWR | O_APPEND | O_NOFOLLOW | create, 0o600);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw toWorkspaceError(error, 'open', file);
  }
  throw new WorkspaceError('not-a-file', `open ${JSON.stringify(file)}: not a regular file`, { path: file });
}

function toLog(file: string, { tailBytes, damagedLines, version }: LogScan, writer: LogWriter): Log {
  const close = (): Promise<void> => writer.close();
  return {
    path: file,
    version,
    lost: { tailBytes, damagedLines },
    get waitingBytes() {
      return writer.waitingBytes;
    },
    append: (record) => {
      writer.append(toJson(record));
    },
    appendJson: (json) => {
      writer.append(json);
    },
    appendOpen: (json, tail) => {
      writer.append(json, tail);
    },
    extend: (piece, tail) => writer.extend(piece, tail),
    appendJsonNow: (json) => writer.appendNow(json),
    flush: (pace) => writer.flush(pace),
    sync: () => writer.sync(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws {TypeError} JSON cannot hold it. */
function toJson(record: unknown): string {
  // A value that is no JSON, a function for example, gives undefined despite the type.
  const json: unknown = JSON.stringify(record);
  if (typeof json === 'string') return json;
  throw new TypeError(`append: JSON cannot hold a ${typeof record}`);
}

/** What a reader of records throws is the caller's own, and goes through as it is. */
function toLogError(error: unknown, action: string, file: string): unknown {
  return error instanceof Error && 'syscall' in error ? toWorkspaceError(error, action, file) : error;
}
