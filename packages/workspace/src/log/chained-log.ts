import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { refusal, systemCode, toWorkspaceError } from '../error.ts';
import {
  type ChainEnd,
  chainEntry,
  type ChainReport,
  chainStart,
  maxLineBytes,
  readChainFile,
} from './chain-file.ts';
import { awaitLock } from './lock.ts';
import { type LogFormat, toHeader } from './log-format.ts';
import { toLine } from './log-line.ts';

/** The location and size of a chain of entries. */
export interface ChainedLogOptions {
  /**
   * Contains numbered files: a full file is followed by a new one, and the oldest ones beyond the limit are removed.
   */
  readonly directory: string;
  readonly format: LogFormat;
  /** @default 8 MiB */
  readonly maxFileBytes?: number;
  /** @default 16 */
  readonly maxFiles?: number;
}

/**
 * An append-only log in which each entry contains the SHA-256 hash of the previous one. Several processes can append
 * at the same time to the same chain; a lock file serializes them.
 */
export interface ChainedLog {
  /** Settles when the entry was written, and survives the end of this process. */
  append(entry: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Opens the chain in a directory, which need not exist. */
export function openChainedLog(options: ChainedLogOptions): ChainedLog {
  return new FolderChain(options);
}

/** Reads and verifies a chain from its oldest entry. Changes nothing. */
export async function readChainedLog(
  { directory, format }: Pick<ChainedLogOptions, 'directory' | 'format'>,
  read: (entry: Readonly<Record<string, unknown>>, hash: string) => void,
): Promise<ChainReport> {
  let report = nothing;
  const names = await chainFiles(directory);
  for (const name of names) {
    const file = await openIfThere(path.join(directory, name), constants.O_RDONLY);
    if (file === undefined) continue;
    await using handle = file;
    // Only room is made by removing whole files: the first of all begins with the first entry.
    const isFirst = name === names[0] && name !== fileName(1);
    report = await readChainFile(handle, { name, format, report, isFirst, read });
  }
  return report;
}

const nothing: ChainReport = { entries: 0, breaks: [], tornBytes: 0, ends: chainStart };

/** Size of a log file before a new one is started. */
const defaultFileBytes = 8 * 1024 * 1024;
const defaultFiles = 16;

/** Entries that wait to be written; more are rejected. */
const mostWaiting = 10_000;

/** Time limit for another process that writes its entries. */
const lockMs = 10_000;

interface Waiting {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The end of the chain as this process knows it, until another one has appended. */
interface KnownEnd {
  readonly name: string;
  readonly bytes: number;
  readonly end: ChainEnd;
}

class FolderChain implements ChainedLog {
  readonly #options: ChainedLogOptions;
  #waiting: Waiting[] = [];
  #isWriting = false;
  #known: KnownEnd | undefined;

  constructor(options: ChainedLogOptions) {
    this.#options = options;
  }

  append(entry: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#waiting.length >= mostWaiting) {
      const reason = `${String(mostWaiting)} entries wait for it already`;
      return Promise.reject(refusal('append to', this.#options.directory, 'too-large', reason));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      void this.#write();
    });
  }

  /** Writes all waiting entries at once. Never rejects. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#writeLocked(batch.map(({ entry }) => entry));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // What is known of the end may be wrong after that.
        this.#known = undefined;
        for (const { reject } of batch) reject(toWorkspaceError(error, 'append to', this.#options.directory));
      }
    }
    this.#isWriting = false;
  }

  async #writeLocked(entries: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const release = await lock(path.join(directory, 'lock'));
    try {
      for (const entry of entries) await this.#writeOne(entry);
    } finally {
      await release();
    }
  }

  async #writeOne(entry: Readonly<Record<string, unknown>>): Promise<void> {
    const { directory, maxFileBytes = defaultFileBytes } = this.#options;
    const names = await chainFiles(directory);
    const last = names.at(-1) ?? fileName(1);
    const { end, bytes, tornBytes } = await this.#findEnd(last, names);
    const isFull = bytes >= maxFileBytes;
    const name = isFull ? fileName(numberOf(last) + 1) : last;
    const noted = tornBytes === 0 ? entry : { ...entry, tornBytes };
    const { json, end: next } = chainEntry(noted, end);
    const line = toLine(json);
    if (line.length > maxLineBytes) {
      throw refusal(
        'append to',
        directory,
        'too-large',
        `an entry of more than ${String(maxLineBytes)} bytes`,
      );
    }
    const at = isFull ? 0 : bytes;
    const header = at === 0 ? toLine(JSON.stringify(toHeader(this.#options.format))) : Buffer.alloc(0);
    const lines = Buffer.concat([header, line]);
    await using file = await open(path.join(directory, name), constants.O_WRONLY | constants.O_CREAT, 0o600);
    await writeAt(file, lines, at);
    this.#known = { name, bytes: at + lines.length, end: next };
    if (isFull) await this.#removeOldest([...names, name]);
  }

  /** Finds the end of the chain, which may be followed by an incomplete line of a killed process. */
  async #findEnd(
    name: string,
    names: readonly string[],
  ): Promise<{ readonly end: ChainEnd; readonly bytes: number; readonly tornBytes: number }> {
    const { directory, format } = this.#options;
    const opened = await openIfThere(path.join(directory, name), constants.O_RDWR);
    if (opened === undefined) return { end: chainStart, bytes: 0, tornBytes: 0 };
    await using file = opened;
    const { size } = await file.stat();
    if (this.#known?.name === name && this.#known.bytes === size) {
      return { end: this.#known.end, bytes: size, tornBytes: 0 };
    }
    // What was before this file is for a reader to check.
    const report = await readChainFile(file, {
      name,
      format,
      report: nothing,
      isFirst: true,
      read: () => {},
    });
    const bytes = size - report.tornBytes;
    if (report.tornBytes > 0) await file.truncate(bytes);
    // Killed as it began this file, a process may have left it without an entry.
    const before = names[names.indexOf(name) - 1];
    const end = report.entries > 0 || before === undefined ? report.ends : await this.#endOf(before);
    return { end, bytes, tornBytes: report.tornBytes };
  }

  async #endOf(name: string): Promise<ChainEnd> {
    const { directory, format } = this.#options;
    await using file = await open(path.join(directory, name), constants.O_RDONLY);
    return (await readChainFile(file, { name, format, report: nothing, isFirst: true, read: () => {} })).ends;
  }

  async #removeOldest(names: readonly string[]): Promise<void> {
    const { directory, maxFiles = defaultFiles } = this.#options;
    for (const name of names.slice(0, -maxFiles)) await rm(path.join(directory, name), { force: true });
  }
}

/** Writes entries; removes an incomplete entry after a failed write. */
async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  try {
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
      written += bytesWritten;
    }
  } catch (error) {
    await file.truncate(position).catch(() => undefined);
    throw error;
  }
}

async function lock(file: string): Promise<() => Promise<void>> {
  const attempt = await awaitLock(file, lockMs);
  if (attempt.isTaken) return attempt.release;
  throw refusal(
    'append to',
    path.dirname(file),
    'failed',
    `process ${String(attempt.holder.pid)} does not release it`,
  );
}

/** The files of a chain, the oldest first. */
async function chainFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => filePattern.test(name)).toSorted();
}

const filePattern = /^\d{8}\.log$/u;

function fileName(number: number): string {
  return `${String(number).padStart(8, '0')}.log`;
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

async function openIfThere(file: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(file, flags);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
