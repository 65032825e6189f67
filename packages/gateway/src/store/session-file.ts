import { type Log, openLog } from '@parley/workspace';

/** What the file of a session is opened with. */
export interface SessionFileOptions {
  /** Called before anything is written to it; what it throws keeps it closed. */
  readonly onOpen: () => Promise<void>;
  /** Called with the last head in it when it is opened, if there is one. */
  readonly onHead: (head: unknown) => void;
}

/** Records that were added together. They are one line, so that all of them are kept or none. */
export interface RecordLine {
  /** First, where a reader of heads only can see it. */
  readonly head?: unknown;
  readonly records: readonly unknown[];
}

/** What the files are. */
export const recordFormat = { name: 'aap-session', version: 1 } as const;

/** The file of one session, opened when something is written to it. What cannot be written is dropped, and its caller told. */
export class SessionFile {
  readonly #path: string;
  readonly #options: SessionFileOptions;
  readonly #queue: Waiting[] = [];
  readonly #writing = new Set<Promise<void>>();
  #hasLines = false;
  #log: Log | undefined;
  #isOpening = false;

  constructor(path: string, options: SessionFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Nobody waits for anything of it. */
  get isIdle(): boolean {
    return this.#queue.length === 0 && this.#writing.size === 0;
  }

  /** There is something in it, as far as is known. */
  get hasLines(): boolean {
    return this.#hasLines;
  }

  /** Settles when the line is in the file, or on the disk: at once where that is possible. */
  append(line: RecordLine, isDurable: boolean): void | Promise<void> {
    // Now: the records are the caller's, and may change while the file is being opened.
    const json = JSON.stringify(line);
    if (!isDurable && this.isIdle && this.#log !== undefined) return this.#writeNow(this.#log, json);
    return this.#track(
      new Promise<void>((resolve, reject) => {
        this.#queue.push({ json, isDurable, resolve, reject });
        this.#pump();
      }),
    );
  }

  /** Settles when what was added so far is in the file, or never will be. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }

  /** Settles when all is on the disk. What is added later opens the file again. */
  async close(): Promise<void> {
    await this.settled();
    const log = this.#log;
    this.#log = undefined;
    await log?.close();
  }

  #pump(): void {
    const log = this.#log;
    if (log === undefined) {
      if (!this.#isOpening) void this.#open();
      return;
    }
    for (const waiting of this.#queue.splice(0)) this.#write(log, waiting);
  }

  #writeNow(log: Log, json: string): void | Promise<void> {
    const writing = log.appendJsonNow(json);
    const kept = (): void => {
      this.#hasLines = true;
    };
    return writing === undefined ? kept() : this.#track(writing.then(kept));
  }

  #track(writing: Promise<void>): Promise<void> {
    this.#writing.add(writing);
    const forget = (): void => void this.#writing.delete(writing);
    writing.then(forget, forget);
    return writing;
  }

  #write(log: Log, { json, isDurable, resolve, reject }: Waiting): void {
    let writing: void | Promise<void>;
    try {
      writing = log.appendJsonNow(json);
    } catch (error) {
      reject(error);
      return;
    }
    const kept = (): void => {
      this.#hasLines = true;
      resolve();
    };
    if (!isDurable && writing === undefined) return kept();
    Promise.all([writing, ...(isDurable ? [log.sync()] : [])]).then(kept, reject);
  }

  /** Never rejects: who waits for the file hears of it. */
  async #open(): Promise<void> {
    this.#isOpening = true;
    try {
      await this.#options.onOpen();
      let head: unknown;
      this.#log = await openLog(this.#path, {
        format: recordFormat,
        read: (line) => {
          this.#hasLines = true;
          if (typeof line === 'object' && line !== null && 'head' in line) ({ head } = line);
        },
      });
      if (head !== undefined) this.#options.onHead(head);
    } catch (error) {
      for (const { reject } of this.#queue.splice(0)) reject(error);
    } finally {
      this.#isOpening = false;
    }
    if (this.#queue.length > 0) this.#pump();
  }
}

interface Waiting {
  readonly json: string;
  readonly isDurable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
