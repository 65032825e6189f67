import type { StreamMode } from '../../agent-info.ts';
import { projectionOf, type Projection } from './frame.ts';
import type { LiveTurn, StoredEvents } from './live-turn.ts';

/** Where the events of a turn are. */
export interface TurnSource {
  /** Absent for a turn that is over and gone from memory. */
  readonly live?: LiveTurn;
  /** All that the store has of the turn, from its beginning. */
  readonly stored: () => AsyncGenerator<StoredEvents, void, void>;
}

/** How a turn is read. */
export interface TurnReaderOptions {
  readonly mode: StreamMode;
  /** The last event that was seen before. @default 0 */
  readonly after?: number;
  /** About how many characters one piece has. */
  readonly pieceChars: number;
}

/**
 * Reads a turn as the text of a stream: from its events in memory if possible, else from the store. It has no queue:
 * only requested events are read.
 */
export class TurnReader {
  readonly #source: TurnSource;
  readonly #live: LiveTurn | undefined;
  readonly #pieceChars: number;
  readonly #project: Projection;
  /** The last event that was projected. */
  #seq: number;
  #stored: AsyncGenerator<StoredEvents, void, void> | undefined;
  #isOver = false;

  constructor(source: TurnSource, { mode, after = 0, pieceChars }: TurnReaderOptions) {
    this.#source = source;
    this.#live = source.live;
    this.#pieceChars = pieceChars;
    this.#project = projectionOf(mode, after);
    // What is sent as a whole has to be read from its beginning.
    this.#seq = mode === 'message' ? 0 : after;
  }

  /** What can be had now: text, `''` when there is nothing yet, a promise for what the store has, undefined at the end. */
  read(): string | undefined | Promise<string | undefined> {
    if (this.#isOver) return undefined;
    const live = this.#live;
    const more = this.#stored === undefined ? live?.eventsAfter(this.#seq) : undefined;
    if (more === undefined) return this.#readStored();
    let text = '';
    for (const event of more.events) {
      this.#seq += 1;
      text += this.#project(this.#seq, event);
      if (text.length >= this.#pieceChars) break;
    }
    if (text === '' && live?.isStopped === true && this.#seq >= live.last) {
      this.#isOver = true;
      return undefined;
    }
    return text;
  }

  /** Calls when there may be more to read. */
  onMore(call: () => void): void {
    this.#live?.onMore(call);
  }

  /** Nothing is read any more. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#stored?.return();
  }

  async #readStored(): Promise<string | undefined> {
    this.#stored ??= this.#source.stored();
    let text = '';
    while (text.length < this.#pieceChars) {
      const { done, value } = await this.#stored.next();
      if (done === true) {
        this.#stored = undefined;
        if (this.#live === undefined) this.#isOver = true;
        break;
      }
      // Some were read before; in a damaged store, some are missing.
      this.#seq = Math.max(this.#seq, value.from - 1);
      for (const event of value.events.slice(this.#seq + 1 - value.from)) {
        this.#seq += 1;
        text += this.#project(this.#seq, event);
      }
    }
    if (text !== '' || !this.#isOver) return text === '' ? this.read() : text;
    return undefined;
  }
}
