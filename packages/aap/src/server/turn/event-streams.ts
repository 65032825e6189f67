import type { Clock } from '@parley/wire';
import { formatComment } from '@parley/wire/sse';
import { toBody, type TextSource } from './text-source.ts';
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
  open(reader: TurnReader, onCancel: () => void): ReadableStream<Uint8Array> {
    const stream = new OpenStream(reader, {
      onEnd: () => {
        this.#open.delete(stream);
        if (this.#open.size === 0) this.#stopBeating();
      },
      onCancel,
    });
    this.#open.add(stream);
    this.#beatLater();
    return toBody(stream);
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

const heartbeat = formatComment();

interface OpenStreamOptions {
  readonly onEnd: () => void;
  readonly onCancel: () => void;
}

/** One of them. */
class OpenStream implements TextSource {
  readonly #reader: TurnReader;
  readonly #options: OpenStreamOptions;
  /** Wakes the readers that wait for more. */
  #wake: (() => void) | undefined;
  /** Nothing was sent since the last beat. */
  #isQuiet = false;
  #isBeatDue = false;

  constructor(reader: TurnReader, options: OpenStreamOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  read(): string | undefined | Promise<string | undefined> {
    try {
      const now = this.#reader.read();
      return now instanceof Promise ? this.#take(now) : this.#look(now);
    } catch (error) {
      this.#options.onEnd();
      throw error;
    }
  }

  onMore(call: () => void): void {
    const wake = (): void => {
      if (this.#wake !== wake) return;
      this.#wake = undefined;
      call();
    };
    this.#wake = wake;
    this.#reader.onMore(wake);
  }

  async cancel(): Promise<void> {
    this.#options.onEnd();
    this.#options.onCancel();
    await this.#reader.close();
  }

  /** Has a comment sent when nothing was sent since the last beat, and what was sent before has been read. */
  beat(): void {
    const isDue = this.#isQuiet && this.#wake !== undefined;
    this.#isQuiet = true;
    if (!isDue) return;
    this.#isBeatDue = true;
    this.#wake?.();
  }

  async #take(text: Promise<string | undefined>): Promise<string | undefined> {
    try {
      return this.#look(await text);
    } catch (error) {
      this.#options.onEnd();
      throw error;
    }
  }

  #look(text: string | undefined): string | undefined {
    if (text === undefined) this.#options.onEnd();
    if (text === '' && this.#isBeatDue) {
      this.#isBeatDue = false;
      return heartbeat;
    }
    if (text !== '') {
      this.#isQuiet = false;
      this.#isBeatDue = false;
    }
    return text;
  }
}
