import type { ChildProcess } from 'node:child_process';
import { WorkspaceError } from '../../error.ts';
import type { Git } from '../git.ts';

/** Reads objects of a store through one git process, which ends when nothing was read for a while. */
export class ObjectReader implements AsyncDisposable {
  readonly #git: Git;
  readonly #gitDir: string;
  #process: BatchProcess | undefined;

  constructor(git: Git, gitDir: string) {
    this.#git = git;
    this.#gitDir = gitDir;
  }

  /** The content of an object; undefined when the store does not have it. */
  async read(id: string): Promise<Buffer | undefined> {
    if (this.#process === undefined || this.#process.isClosed) {
      this.#process = new BatchProcess(this.#git.start(['cat-file', '--batch'], this.#gitDir));
    }
    return await this.#process.read(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.close();
  }
}

/** How long an idle git process waits for the next request. */
const idleMs = 2000;

interface Request {
  readonly resolve: (content: Buffer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

class BatchProcess {
  readonly #child: ChildProcess;
  readonly #requests: Request[] = [];
  readonly #closed: Promise<void>;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Number of bytes missing from the header or content that is being read; 0 for a header, whose length is unknown. */
  #needed = 0;
  #idle: NodeJS.Timeout | undefined;
  isClosed = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stdin?.on('error', () => undefined);
    this.#closed = new Promise((resolve) => {
      const end = (cause?: unknown): void => {
        this.isClosed = true;
        clearTimeout(this.#idle);
        const error = new WorkspaceError(
          'failed',
          'Could not read a checkpoint: git ended before it answered',
          { cause },
        );
        for (const { reject } of this.#requests.splice(0)) reject(error);
        resolve();
      };
      child.on('error', end);
      child.on('close', () => end());
    });
  }

  read(id: string): Promise<Buffer | undefined> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#requests.push({ resolve, reject });
      this.#child.stdin?.write(`${id}\n`);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.#child.stdin?.end();
    await this.#closed;
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    let bytes = Buffer.concat(this.#chunks);
    for (;;) {
      const end = bytes.indexOf(0x0a);
      if (end === -1) break;
      const head = bytes.toString('latin1', 0, end);
      const size = / (\d+)$/u.exec(head)?.[1];
      // "ID missing", for example.
      const length = size === undefined ? end + 1 : end + 1 + Number(size) + 1;
      this.#needed = length;
      if (bytes.length < length) break;
      this.#answer(size === undefined ? undefined : Buffer.from(bytes.subarray(end + 1, length - 1)));
      this.#needed = 0;
      bytes = bytes.subarray(length);
    }
    this.#chunks = [bytes];
    this.#size = bytes.length;
  }

  #answer(content: Buffer | undefined): void {
    this.#requests.shift()?.resolve(content);
    if (this.#requests.length > 0) return;
    this.#idle = setTimeout(() => void this.close(), idleMs);
    this.#idle.unref();
  }
}
