import type { Clock } from '@parley/wire';
import { formatComment } from '@parley/wire/sse';

/** The callbacks by which a stream notifies its connection. */
export interface OutgoingStreamOptions {
  readonly clock: Clock;
  readonly heartbeatMs: number;
  /** The client has taken that many characters. */
  readonly onTaken: (length: number) => void;
  /** The client has closed the stream, or it has ended. */
  readonly onDetached: () => void;
}

/** What one stream of server-sent events has still to carry, and its reader while there is one. */
export class OutgoingStream {
  readonly #options: OutgoingStreamOptions;
  #queue: string[] = [];
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the reader has asked for more than it was given. */
  #isWanted = false;
  #isEnding = false;
  #stopTimer = (): void => {};
  #onEnded = (): void => {};

  constructor(options: OutgoingStreamOptions) {
    this.#options = options;
  }

  get isAttached(): boolean {
    return this.#reader !== undefined;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** Whether it ends as soon as what waits was carried. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Takes text that is a whole event; it leaves with the next `flush`. */
  push(text: string): void {
    this.#queue.push(text);
  }

  /** Gives the reader what waits, if it asks for it. */
  flush(): void {
    const reader = this.#reader;
    if (reader === undefined || !this.#isWanted) return;
    if (this.#queue.length > 0) {
      this.#isWanted = false;
      const text = this.#takeChunk();
      reader.enqueue(encoder.encode(text));
      this.#options.onTaken(text.length);
    } else if (this.#isEnding) {
      this.#detach();
      reader.close();
    }
  }

  /** The body of the response that carries this stream. There may be one at a time. */
  open(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#reader = controller;
          // What is between sends the headers on with the first bytes.
          controller.enqueue(encoder.encode(formatComment()));
          this.#beat();
        },
        pull: () => {
          this.#isWanted = true;
          this.flush();
        },
        cancel: () => this.#detach(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Nothing more will come: what waits is carried, then the stream ends. Settles when it has. */
  end(): Promise<void> {
    this.#isEnding = true;
    if (this.#reader === undefined) return Promise.resolve();
    const ended = new Promise<void>((resolve) => {
      this.#onEnded = resolve;
    });
    this.flush();
    return ended;
  }

  /** Ends the stream now, and discards what waits. */
  abort(): void {
    const reader = this.#reader;
    const length = this.#queue.reduce((sum, text) => sum + text.length, 0);
    this.#queue = [];
    this.#detach();
    if (length > 0) this.#options.onTaken(length);
    try {
      reader?.close();
    } catch {
      // The reader has released it already.
    }
  }

  #takeChunk(): string {
    let chunk = '';
    let count = 0;
    for (const text of this.#queue) {
      if (count > 0 && chunk.length + text.length > chunkLength) break;
      chunk += text;
      count++;
    }
    this.#queue.splice(0, count);
    return chunk;
  }

  #beat(): void {
    this.#stopTimer = this.#options.clock.after(this.#options.heartbeatMs, () => {
      if (this.#isWanted && this.#queue.length === 0) {
        this.#isWanted = false;
        this.#reader?.enqueue(encoder.encode(formatComment()));
      }
      this.#beat();
    });
  }

  #detach(): void {
    if (this.#reader === undefined) return;
    this.#reader = undefined;
    this.#isWanted = false;
    this.#stopTimer();
    this.#onEnded();
    this.#options.onDetached();
  }
}

const encoder = new TextEncoder();

/** Characters that are written at once, unless a single event is longer. */
const chunkLength = 64 * 1024;
