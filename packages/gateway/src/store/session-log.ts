import type { EventLog, LoggedEntry, LoggedEvent } from '@parley/host';
import { CallTexts } from './call-texts.ts';
import { LoggedRecordWriter, type Addition } from './logged-records.ts';

/** What the event log of a session is opened with. */
export interface SessionLogOptions {
  /** Called before the first write; if it throws, the log stays closed. */
  readonly open: (onStored: (event: LoggedEvent) => void) => Promise<EventLog>;
}

/** The event log of one session, opened when something is added to it. What cannot be written is dropped, and its caller learns why. */
export class SessionLog {
  readonly #options: SessionLogOptions;
  readonly #texts = new CallTexts();
  readonly #records = new LoggedRecordWriter(this.#texts);
  readonly #queue: Waiting[] = [];
  readonly #writing = new Set<Promise<void>>();
  #hasLines = false;
  #log: EventLog | undefined;
  #isOpening = false;

  constructor(options: SessionLogOptions) {
    this.#options = options;
  }

  /** Whether no record waits to be written. */
  get isIdle(): boolean {
    return this.#queue.length === 0 && this.#writing.size === 0;
  }

  /** Whether anything was written, as far as known. */
  get hasLines(): boolean {
    return this.#hasLines;
  }

  /** Settles when the addition is in the file, or on the disk: at once where that is possible. */
  append(addition: Addition, isDurable: boolean): void | Promise<void> {
    if (this.#log !== undefined) return this.#write(this.#log, this.#records.entriesOf(addition), isDurable);
    // The records are the caller's, and may change while the log is being opened.
    const entries = this.#records.entriesOf(structuredClone(addition));
    return this.#track(
      new Promise<void>((resolve, reject) => {
        this.#queue.push({ entries, isDurable, resolve, reject });
        if (!this.#isOpening) void this.#open();
      }),
    );
  }

  /** Settles when what was added so far is in the file, or never will be. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }

  /** Settles when all is on the disk. What is added later opens the log again. */
  async close(): Promise<void> {
    await this.settled();
    const log = this.#log;
    this.#log = undefined;
    // What is stored meanwhile is not noted here.
    this.#texts.clear();
    await log?.close();
  }

  #write(log: EventLog, entries: readonly LoggedEntry[], isDurable: boolean): void | Promise<void> {
    const writing: Promise<void>[] = [];
    for (const [index, entry] of entries.entries()) {
      const written = log.appendNow(entry, { isDurable: isDurable && index === entries.length - 1 });
      if (written !== undefined) writing.push(written);
    }
    if (writing.length === 0) {
      this.#hasLines = true;
      return undefined;
    }
    return this.#track(
      Promise.all(writing).then(() => {
        this.#hasLines = true;
      }),
    );
  }

  #track(writing: Promise<void>): Promise<void> {
    this.#writing.add(writing);
    const forget = (): void => void this.#writing.delete(writing);
    writing.then(forget, forget);
    return writing;
  }

  /** Never rejects: the callers that wait for the log learn why it failed. */
  async #open(): Promise<void> {
    this.#isOpening = true;
    try {
      const log = await this.#options.open((event) => {
        this.#texts.note(event);
      });
      this.#log = log;
      for (const { entries, isDurable, resolve, reject } of this.#queue.splice(0)) {
        try {
          Promise.resolve(this.#write(log, entries, isDurable)).then(resolve, reject);
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of this.#queue.splice(0)) reject(error);
    } finally {
      this.#isOpening = false;
    }
  }
}

interface Waiting {
  readonly entries: readonly LoggedEntry[];
  readonly isDurable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
