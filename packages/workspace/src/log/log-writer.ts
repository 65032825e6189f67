import path from 'node:path';
import { toWorkspaceError, WorkspaceError } from '../error.ts';
import { LineBatch, type TakenLines } from './line-batch.ts';
import type { LogFile } from './log-file.ts';
import { pauseAfter } from './pause-after.ts';
import { syncDirectory } from './sync-directory.ts';

/** The state in which a writer continues. */
export interface LogWriterOptions {
  readonly path: string;
  /** How long the file is. */
  readonly bytes: number;
  readonly maxLineBytes: number;
  /** How long lines gather after a write before the next one; longer where writes are slow. 0: not at all. */
  readonly gatherMs: number;
  /** Maximum number of bytes that wait while the file cannot be written. */
  readonly maxHeldBytes: number;
  /** Called with the reason when writing begins to fail, and without one when it works again. */
  readonly onTrouble?: (error?: WorkspaceError) => void;
}

/** Whether batched lines are written immediately, or together with those that follow within `gatherMs`. */
export type FlushPace = 'now' | 'soon';

/** Delay between attempts to write while lines wait. */
const retryMs = 1000;

/** Bytes that are written without further batching. */
const gatherBytes = 256 * 1024;

/** The longest time from one write to the next, while lines wait and nothing waits for them. */
const mostRestMs = 100;

const newline = 0x0a;

type WriterState =
  | { readonly kind: 'working' }
  /** The last write failed; what could not be written waits. */
  | { readonly kind: 'failing'; readonly error: WorkspaceError }
  | { readonly kind: 'closed' };

/**
 * Appends lines to a file, in batches. While writing fails, for example because the disk is full, lines wait up to a
 * limit; they are written in order once there is space.
 */
export class LogWriter {
  readonly #file: LogFile;
  readonly #options: LogWriterOptions;
  readonly #batch = new LineBatch();
  #state: WriterState = { kind: 'working' };
  /** Of whole lines in the file. */
  #bytes: number;
  /** Whether an incomplete line at the end of the file could not be removed yet. */
  #isTorn = false;
  /** Of lines that are being written now. */
  #leavingBytes = 0;
  /** A write is on its way to the file. */
  #isWriting = false;
  /** One write after another. Never rejects. */
  #writing: Promise<void> = Promise.resolve();
  /** Syncs, one after another, in parallel to writes, which need not wait for a slow disk. Never rejects. */
  #syncing: Promise<void> = Promise.resolve();
  #isWriteQueued = false;
  /** Start of the last write, by the monotonic clock. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** How long lines gather before the next one. */
  #restMs: number;
  /** Whether a caller waits for the batch. */
  #isHurried = false;
  #stopGathering: () => void = () => {};
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isNameSynced = false;
  #syncedBytes: number;
  #closing: Promise<void> | undefined;

  constructor(file: LogFile, options: LogWriterOptions) {
    this.#file = file;
    this.#options = options;
    this.#bytes = options.bytes;
    this.#syncedBytes = options.bytes;
    this.#restMs = options.gatherMs;
  }

  get waitingBytes(): number {
    return this.#batch.bytes + this.#leavingBytes;
  }

  /**
   * @param json The record, as JSON in one line.
   * @param tail With it, what ends the record comes apart, and `extend` can add to the record before that.
   */
  append(json: string, tail?: string): void {
    this.#checkOpen();
    const state = this.#state;
    if (state.kind === 'failing' && this.#batch.bytes + json.length > this.#options.maxHeldBytes) {
      throw state.error;
    }
    this.#add(json, tail);
    this.#added();
  }

  /** Adds to the last record, as long as it waits. False when that cannot be: nothing was added. */
  extend(piece: string, tail: string): boolean {
    if (this.#state.kind !== 'working' || this.#closing !== undefined) return false;
    if (!this.#batch.extend(piece, tail)) return false;
    this.#added();
    return true;
  }

  #added(): void {
    if (this.#batch.bytes >= gatherBytes) this.#stopGathering();
    // What failed is tried again after a while, or when a caller waits for it.
    if (this.#state.kind === 'working') this.#queueWrite();
    else this.#retryLater();
  }

  /** Writes synchronously if nothing else is being written. A record that cannot be written is dropped. */
  appendNow(json: string): void | Promise<void> {
    this.#checkOpen();
    if (this.#mustWait) return this.#appendClaimed(json);
    const written: { failure?: Error | undefined } = {};
    this.#add(json, undefined, (error) => {
      written.failure = error;
    });
    this.#attemptNow();
    if (written.failure !== undefined) throw written.failure;
  }

  /** Writes the batch synchronously, if nothing else is being written. */
  flushNow(): Promise<void> | undefined {
    if (!this.#mustWait) this.#attemptNow();
    if (this.waitingBytes > 0) return this.flush();
    // A queued write has nothing left to wait for.
    this.#stopGathering();
    return undefined;
  }

  async flush(pace: FlushPace = 'now'): Promise<void> {
    if (this.#batch.bytes > 0) this.#queueWrite();
    if (this.#isWriteQueued && pace === 'now') {
      this.#isHurried = true;
      this.#stopGathering();
    }
    await this.#writing;
    if (this.#state.kind === 'failing' && this.#batch.bytes > 0) throw this.#state.error;
  }

  async sync(): Promise<void> {
    await this.flush();
    const syncing = this.#syncing.then(() => this.#sync());
    this.#syncing = syncing.catch(() => undefined);
    try {
      await syncing;
    } catch (error) {
      throw this.#toError(error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.sync();
    } finally {
      clearTimeout(this.#retry);
      this.#state = { kind: 'closed' };
      await this.#file.close();
    }
  }

  /** Whether a batch is too large to be written synchronously. */
  get #mustWait(): boolean {
    return this.#isWriting || this.#batch.bytes > gatherBytes;
  }

  #appendClaimed(json: string): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.#add(json, undefined, (error) => (error === undefined ? resolve() : reject(error)));
    });
    void this.flush().catch(() => {
      // The line itself says whether it was written.
    });
    return done;
  }

  #queueWrite(): void {
    if (this.#isWriteQueued) return;
    this.#isWriteQueued = true;
    this.#writing = this.#writing.then(() => this.#attempt());
  }

  async #attempt(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#leavingBytes = 0;
      this.#isWriting = false;
    }
  }

  #attemptNow(): void {
    try {
      if (this.#batch.bytes > 0) this.#writeNow();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): WorkspaceError {
    const failure = this.#toError(error);
    const before = this.#state.kind;
    this.#batch.dropClaimed(failure);
    this.#state = { kind: 'failing', error: failure };
    if (this.#batch.bytes > 0) this.#retryLater();
    if (before === 'working') this.#options.onTrouble?.(failure);
    return failure;
  }

  #retryLater(): void {
    if (this.#closing !== undefined) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#queueWrite();
    }, retryMs).unref();
  }

  #works(): void {
    if (this.#state.kind === 'working') return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#state = { kind: 'working' };
    this.#options.onTrouble?.();
  }

  #add(json: string, tail?: string, settle?: (error?: Error) => void): void {
    const { maxLineBytes } = this.#options;
    const bytes =
      tail === undefined
        ? this.#batch.add(json, maxLineBytes, settle)
        : this.#batch.addOpen(json, tail, maxLineBytes);
    if (bytes <= maxLineBytes) return;
    throw this.#error(
      'too-large',
      `the record has ${String(bytes)} bytes, more than ${String(maxLineBytes)}`,
    );
  }

  async #write(): Promise<void> {
    if (this.#batch.bytes > 0) await this.#gather();
    this.#isWriteQueued = false;
    this.#isHurried = false;
    // It was written meanwhile.
    if (this.#batch.bytes === 0) return;
    this.#isWriting = true;
    this.#writtenAt = performance.now();
    if (this.#isTorn) await this.#cut();
    const taken = this.#batch.take();
    this.#leavingBytes = taken.lines.length;
    let done = 0;
    try {
      while (done < taken.lines.length) done += this.#progress(await this.#file.write(taken.lines, done));
    } catch (error) {
      this.#takeBack(taken, done, error);
      // A reader need not see half of a line. What cannot be cut off now, the next write or opening cuts off.
      if (this.#isTorn) await this.#cut().catch(() => undefined);
      throw error;
    }
    this.#bytes += taken.lines.length;
    this.#rest();
    this.#works();
    this.#batch.written(taken);
  }

  #rest(): void {
    const { gatherMs } = this.#options;
    if (gatherMs === 0) return;
    this.#restMs = pauseAfter(performance.now() - this.#writtenAt, gatherMs, mostRestMs);
  }

  #writeNow(): void {
    this.#writtenAt = performance.now();
    if (this.#isTorn) this.#cutNow();
    const taken = this.#batch.take();
    let done = 0;
    try {
      while (done < taken.lines.length) done += this.#progress(this.#file.writeNow(taken.lines, done));
    } catch (error) {
      this.#takeBack(taken, done, error);
      if (this.#isTorn) this.#tryToCut();
      throw error;
    }
    this.#bytes += taken.lines.length;
    this.#works();
    this.#batch.written(taken);
  }

  /** Lines that were written whole stay: a reader may have seen them. */
  #takeBack(taken: TakenLines, done: number, error: unknown): void {
    const whole = taken.lines.subarray(0, done).lastIndexOf(newline) + 1;
    this.#bytes += whole;
    this.#isTorn = done > whole;
    this.#batch.restore(taken, whole, this.#toError(error));
  }

  #tryToCut(): void {
    try {
      this.#cutNow();
    } catch {
      // The next write or opening cuts it off; the caller learns why the write failed.
    }
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#bytes);
    this.#isTorn = false;
  }

  #cutNow(): void {
    this.#file.truncateNow(this.#bytes);
    this.#isTorn = false;
  }

  /** Fails if the file accepts no bytes without an error, which would loop forever. */
  #progress(bytes: number): number {
    if (bytes > 0) return bytes;
    throw this.#error('failed', 'the file took no bytes');
  }

  /** The first lines after a pause are written at once. */
  #gather(): Promise<void> | undefined {
    const leftMs = this.#writtenAt + this.#restMs - performance.now();
    if (leftMs <= 0 || this.#isHurried || this.#batch.bytes >= gatherBytes) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      this.#stopGathering = () => {
        // It is called for each line that comes until the write begins.
        this.#stopGathering = () => {};
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #sync(): Promise<void> {
    if (this.#syncedBytes === this.#bytes) return;
    const bytes = this.#bytes;
    await this.#file.datasync();
    this.#syncedBytes = bytes;
    if (this.#isNameSynced) return;
    // So that the file's name is on the disk too.
    await syncDirectory(path.dirname(this.#options.path));
    this.#isNameSynced = true;
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw this.#error('closed', 'the log is closed');
  }

  #toError(error: unknown): WorkspaceError {
    return toWorkspaceError(error, 'append to', this.#options.path);
  }

  #error(code: 'too-large' | 'closed' | 'failed', reason: string): WorkspaceError {
    const { path: file } = this.#options;
    return new WorkspaceError(code, `append to ${JSON.stringify(file)}: ${reason}`, { path: file });
  }
}
