import { ftruncateSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { toWorkspaceError, WorkspaceError } from '../error.ts';
import { LineBatch } from './line-batch.ts';
import { syncDirectory } from './sync-directory.ts';

/** Where a writer goes on. */
export interface LogWriterOptions {
  readonly path: string;
  /** How long the file is. */
  readonly bytes: number;
  readonly maxLineBytes: number;
  /** How long lines gather after a write before the next one. */
  readonly gatherMs: number;
}

/** With so much there is no more waiting. */
const gatherBytes = 256 * 1024;

const newline = 0x0a;

/** Writes lines to the end of a file, as many at once as have gathered; after a failure nothing more. */
export class LogWriter {
  readonly #file: FileHandle;
  readonly #options: LogWriterOptions;
  readonly #batch = new LineBatch();
  #bytes: number;
  /** Of lines that are being written now. */
  #leavingBytes = 0;
  /** One write after another. Never rejects. */
  #writing: Promise<void> = Promise.resolve();
  /** One sync after another, beside the writes: those need not wait for a slow disk. Never rejects. */
  #syncing: Promise<void> = Promise.resolve();
  #isWriteQueued = false;
  /** When the last write began, by the clock that only goes forward. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** Whether somebody waits for what has gathered. */
  #isHurried = false;
  #stopGathering: () => void = () => {};
  #isNameSynced = false;
  #syncedBytes: number;
  #failure: WorkspaceError | undefined;
  #closing: Promise<void> | undefined;

  constructor(file: FileHandle, options: LogWriterOptions) {
    this.#file = file;
    this.#options = options;
    this.#bytes = options.bytes;
    this.#syncedBytes = options.bytes;
  }

  get waitingBytes(): number {
    return this.#batch.bytes + this.#leavingBytes;
  }

  /** @param json The record, as JSON in one line. */
  append(json: string): void {
    this.#add(json);
    if (this.#batch.bytes >= gatherBytes) this.#stopGathering();
    if (this.#isWriteQueued) return;
    this.#isWriteQueued = true;
    this.#writing = this.#writing.then(() => this.#attempt(() => this.#write()));
  }

  /** Settles at once where nothing else is on its way to the file. */
  appendNow(json: string): void | Promise<void> {
    if (this.#isWriteQueued || this.#leavingBytes > 0) {
      this.append(json);
      return this.flush();
    }
    this.#add(json);
    try {
      this.#batch.drainNow((lines) => this.#writeLinesNow(lines));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async flush(): Promise<void> {
    if (this.#isWriteQueued) {
      this.#isHurried = true;
      this.#stopGathering();
    }
    await this.#writing;
    this.#checkUnbroken();
  }

  async sync(): Promise<void> {
    await this.flush();
    this.#syncing = this.#syncing.then(() => this.#attempt(() => this.#sync()));
    await this.#syncing;
    this.#checkUnbroken();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.sync();
    } finally {
      await this.#file.close();
    }
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await step();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): WorkspaceError {
    this.#failure = toWorkspaceError(error, 'append to', this.#options.path);
    this.#batch.clear();
    this.#leavingBytes = 0;
    return this.#failure;
  }

  #add(json: string): void {
    const { maxLineBytes } = this.#options;
    this.#checkUsable();
    const bytes = this.#batch.add(json, maxLineBytes);
    if (bytes <= maxLineBytes) return;
    throw this.#error(
      'too-large',
      `the record has ${String(bytes)} bytes, more than ${String(maxLineBytes)}`,
    );
  }

  async #write(): Promise<void> {
    await this.#gather();
    this.#isWriteQueued = false;
    this.#isHurried = false;
    this.#writtenAt = performance.now();
    this.#leavingBytes = this.#batch.bytes;
    await this.#batch.drain((lines) => this.#writeLines(lines));
    this.#leavingBytes = 0;
  }

  /** The first lines after a pause are written at once. */
  #gather(): Promise<void> | undefined {
    const leftMs = this.#writtenAt + this.#options.gatherMs - performance.now();
    if (leftMs <= 0 || this.#isHurried || this.#batch.bytes >= gatherBytes) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      this.#stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #writeLines(lines: Buffer): Promise<void> {
    let done = 0;
    try {
      while (done < lines.length) done += (await this.#file.write(lines, done)).bytesWritten;
    } catch (error) {
      await this.#takeBack(lines.subarray(0, done).lastIndexOf(newline) + 1);
      throw error;
    }
    this.#bytes += lines.length;
  }

  #writeLinesNow(lines: Buffer): void {
    const { fd } = this.#file;
    let done = 0;
    try {
      while (done < lines.length) done += writeSync(fd, lines, done);
    } catch (error) {
      const whole = this.#bytes + lines.subarray(0, done).lastIndexOf(newline) + 1;
      if (done > 0) ftruncateSync(fd, whole);
      throw error;
    }
    this.#bytes += lines.length;
  }

  /** A full disk may have taken half of a line. What cannot be taken back now, the next opening cuts off. */
  async #takeBack(wholeBytes: number): Promise<void> {
    await this.#file.truncate(this.#bytes + wholeBytes).catch(() => undefined);
  }

  async #sync(): Promise<void> {
    if (this.#syncedBytes === this.#bytes) return;
    const bytes = this.#bytes;
    await this.#file.datasync();
    this.#syncedBytes = bytes;
    if (this.#isNameSynced) return;
    this.#isNameSynced = true;
    // So that the file's name is on the disk too.
    await syncDirectory(path.dirname(this.#options.path));
  }

  #checkUsable(): void {
    this.#checkUnbroken();
    if (this.#closing !== undefined) throw this.#error('closed', 'the log is closed');
  }

  #checkUnbroken(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #error(code: 'too-large' | 'closed', reason: string): WorkspaceError {
    const { path: file } = this.#options;
    return new WorkspaceError(code, `append to ${JSON.stringify(file)}: ${reason}`, { path: file });
  }
}
