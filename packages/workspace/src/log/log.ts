import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { toWorkspaceError, WorkspaceError } from '../error.ts';
import { type LogFile, toLogFile } from './log-file.ts';
import { type LogFormat, toHeader } from './log-format.ts';
import { type FlushPace, LogWriter } from './log-writer.ts';
import { type LogScan, scanLog } from './scan-log.ts';

/** Default length of a line. */
export const defaultMaxLineBytes: number = 64 * 1024 * 1024;

/** Options for reading a log. */
export interface ReadLogOptions {
  readonly format: LogFormat;
  /** Receives each record in order; promises are awaited, and a thrown error ends the reading. */
  readonly read?: (record: unknown) => void | Promise<void>;
  /**
   * Maximum length of a line, newline included. A longer one is treated as damaged, and rejected when writing.
   * @default 64 MiB
   */
  readonly maxLineBytes?: number;
}

/** Options for reading a part of a log. */
export interface ReadPartOptions extends ReadLogOptions {
  /** Selects records by their JSON text. Other records are skipped without verifying their checksum. @default all */
  readonly wants?: (json: string) => boolean;
}

/** Options for writing a log. */
export interface OpenLogOptions extends ReadLogOptions {
  /** Rejects an existing log, or a missing one. @default both are accepted */
  readonly expect?: 'new' | 'existing';
  /**
   * How long lines are batched after a write, in milliseconds. A write costs more than many lines; batched lines are
   * lost if the process is killed. @default 0
   */
  readonly gatherMs?: number;
  /**
   * Called with the reason when writing starts to fail, and without one when it works again. Must not throw. @default
   * only the callers of `flush` and `sync` are notified
   */
  readonly onTrouble?: (error?: WorkspaceError) => void;
  /** Wraps the file: to check a lock first, or to simulate failures. @default the file itself */
  readonly through?: (file: LogFile) => LogFile;
}

/** Bytes of lines that wait while the file cannot be written: 8 MiB. */
const maxHeldBytes: number = 8 * 1024 * 1024;

/**
 * An append-only file of records, one per line. Appended records are written to the file by `flush`, where they
 * survive the end of this process, and to the disk by `sync`, where they survive a failure of the machine.
 *
 * While the file cannot be written, for example because the disk is full, records wait in memory. Writing is retried
 * every second, and by each `flush` and `sync`, which reject until it succeeds. See
 * docs/decisions/0029-a-full-disk.md.
 */
export interface Log extends AsyncDisposable {
  readonly path: string;
  /** The version in its first line. */
  readonly version: number;
  /**
   * The data that was lost earlier: bytes removed from the end, because a writer was killed, and damaged lines in
   * between.
   */
  readonly lost: LostRecords;
  /** Appended bytes that are not in the file yet. */
  readonly waitingBytes: number;
  /**
   * Appends a record. Records of the same tick, or within `gatherMs` of the last write, are written together.
   *
   * @throws {WorkspaceError} `too-large`, or too much data waits for a file that cannot be written: nothing was
   * appended.
   */
  append(record: unknown): void;
  /** Appends a record that is already JSON in one line. @throws {WorkspaceError} Like `append`. */
  appendJson(json: string): void;
  /**
   * Appends a record that is already JSON, and can be extended until it is written.
   *
   * @param tail The end of the record, after `json`.
   * @throws {WorkspaceError} Like `append`.
   */
  appendOpen(json: string, tail: string): void;
  /**
   * Extends the record that was appended last with `appendOpen`: inserts `piece` before its end, which becomes
   * `tail`. False if the record is already being written, or long enough: nothing was added.
   */
  extend(piece: string, tail: string): boolean;
  /**
   * Appends a record that is already JSON, and writes it before it returns, which blocks for some microseconds unless
   * the disk is slow. Returns a promise if other records are being written. A record that cannot be written now is
   * dropped.
   *
   * @throws {WorkspaceError} Like `append`, or the failure of the write.
   */
  appendJsonNow(json: string): void | Promise<void>;
  /** Settles when all records are in the file. Rejects if they are not; they still wait, and may be written later. */
  flush(pace?: FlushPace): Promise<void>;
  /**
   * The same, as `appendJsonNow` writes: undefined when all that was appended is in the file. A promise when others are being
   * written just now, when much waits, or when it failed.
   */
  flushNow(): Promise<void> | undefined;
  /** Settles when all records are synced to disk. */
  sync(): Promise<void>;
  /** Writes pending records, and closes the file. */
  close(): Promise<void>;
}

/** The parts of a log that could not be read. */
export interface LostRecords {
  /** Bytes after the last complete line. */
  readonly tailBytes: number;
  /** Damaged lines between intact ones. */
  readonly damagedLines: number;
}

/**
 * Opens a log for writing; the file and missing directories are created with access for the owner only. The caller
 * ensures that there is only one writer. An incomplete line at the end is removed first.
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
 * Reads a log from its beginning to its current end. Changes nothing: a line that is being written is skipped, and
 * counted in `tailBytes`.
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
    flushNow: () => writer.flushNow(),
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

/** Errors that a reader of records throws belong to the caller, and are passed on unchanged. */
function toLogError(error: unknown, action: string, file: string): unknown {
  return error instanceof Error && 'syscall' in error ? toWorkspaceError(error, action, file) : error;
}
