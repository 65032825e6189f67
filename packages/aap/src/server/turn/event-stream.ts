import type { Clock } from '@parley/wire';
import { formatComment } from '@parley/wire/sse';
import type { TurnReader } from './turn-reader.ts';

/** The streams that are open, and what keeps the quiet ones alive. */
export class EventStreams {
  readonly #clock: Clock;
  readonly #heartbeatMs: number;
  readonly #open = new Set<OpenStream>();
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, heartbeatMs: number) {
    this.#clock = clock;
    this.#heartbeatMs = heartbeatMs;
  }

  /** How many there are. */
  get size(): number {
    return this.#open.size;
  }

  /** The bytes of a turn. Nothing is fetched that is not read. */
  open(reader: TurnReader, onCancel: () => void = () => undefined): ReadableStream<Uint8Array> {
    const stream = new OpenStream(reader);
    const close = (): void => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#stopBeating();
    };
    this.#open.add(stream);
    this.#beatLater();
    return new ReadableStream(
      {
        pull: (controller) => stream.pull(controller, close),
        cancel: async () => {
          close();
          onCancel();
          await reader.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  #beatLater(): void {
    this.#stopTimer ??= this.#clock.after(this.#heartbeatMs, () => {
      this.#stopTimer = undefined;
      for (const stream of this.#open) stream.beat();
      this.#beatLater();
    });
  }

  #stopBeating(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }
}

const encoder = new TextEncoder();
const heartbeat = encoder.encode(formatComment());

/** One of them. */
class OpenStream {
  readonly #reader: TurnReader;
  /** Somebody reads, and there is nothing to read yet. */
  #waiting: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isQuiet = false;

  constructor(reader: TurnReader) {
    this.#reader = reader;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>, close: () => void): Promise<void> {
    try {
      for (;;) {
        const now = this.#reader.read();
        const text = now instanceof Promise ? await now : now;
        // While the store was read, there may have come more: nothing is waited for without a look.
        if (text === '' && now instanceof Promise) continue;
        if (text === undefined) {
          close();
          return controller.close();
        }
        if (text !== '') {
          this.#isQuiet = false;
          return controller.enqueue(encoder.encode(text));
        }
        this.#waiting = controller;
        await new Promise<void>((resolve) => {
          this.#reader.onMore(resolve);
        });
        this.#waiting = undefined;
      }
    } catch (error) {
      close();
      controller.error(error);
    }
  }

  /** Sends a comment when nothing was sent since the last beat, and what was sent before has been read. */
  beat(): void {
    const isQuiet = this.#isQuiet;
    this.#isQuiet = true;
    if (isQuiet && this.#waiting !== undefined && (this.#waiting.desiredSize ?? -1) >= 0) {
      this.#waiting.enqueue(heartbeat);
    }
  }
}
