import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, toWorkspaceError, WorkspaceError } from '../error.ts';
import { toLine } from './log-line.ts';

/** Where a writer goes on. */
export interface LogWriterOptions {
  readonly path: string;
  /** How long the file is. */
  readonly bytes: number;
  readonly maxLineBytes: number;
}

/** Writes lines to the end of a file, as many at once as have gathered; after a failure nothing more. */
export class LogWriter {
  readonly #file: FileHandle;
  readonly #options: LogWriterOptions;
  #bytes: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** One write after another. Never rejects. */
  #writing: Promise<void> = Promise.resolve();
  /** One sync after another, beside the writes: those need not wait for a slow disk. Never rejects. */
  #syncing: Promise<void> = Promise.resolve();
  #isWriteQueued = false;
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
    return this.#waitingBytes;
  }

  append(record: unknown): void {
    const { maxLineBytes } = this.#options;
    this.#checkUsable();
    const line = toLine(record);
    if (line.length > maxLineBytes) {
      const reason = `the record has ${String(line.length)} bytes, more than ${String(maxLineBytes)}`;
      throw this.#error('too-large', reason);
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#isWriteQueued) return;
    this.#isWriteQueued = true;
    this.#writing = this.#writing.then(() => this.#attempt(() => this.#write()));
  }

  async flush(): Promise<void> {
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
      this.#failure = toWorkspaceError(error, 'append to', this.#options.path);
      this.#waiting = [];
      this.#waitingBytes = 0;
    }
  }

  async #write(): Promise<void> {
    this.#isWriteQueued = false;
    const batch =
      this.#waiting.length === 1 ? (this.#waiting[0] ?? Buffer.of()) : Buffer.concat(this.#waiting);
    this.#waiting = [];
    try {
      for (let done = 0; done < batch.length;) {
        done += (await this.#file.write(batch, done)).bytesWritten;
      }
    } catch (error) {
      await this.#takeBack();
      throw error;
    }
    this.#bytes += batch.length;
    this.#waitingBytes -= batch.length;
  }

  /** A full disk may have taken half of it. What cannot be taken back now, the next opening cuts off. */
  async #takeBack(): Promise<void> {
    await this.#file.truncate(this.#bytes).catch(() => undefined);
  }

  async #sync(): Promise<void> {
    if (this.#syncedBytes === this.#bytes) return;
    const bytes = this.#bytes;
    await this.#file.datasync();
    this.#syncedBytes = bytes;
    if (this.#isNameSynced) return;
    this.#isNameSynced = true;
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

/** So that the file's name is on the disk too. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory, 'r');
    await handle.sync();
  } catch (error) {
    // Windows opens no directories, and some file systems sync none.
    if (process.platform === 'win32' || systemCode(error) === 'EINVAL') return;
    throw error;
  }
}
