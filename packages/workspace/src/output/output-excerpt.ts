import { wholeCharactersLength } from './character-boundary.ts';
import { type OutputBuffer, createOutputBuffer, maxOutputBytes } from './output-buffer.ts';
import { Utf8Pieces } from './utf8-pieces.ts';

/** The stored part of a command's output: its start and its end, half of the limit each. */
export interface OutputExcerpt {
  /** Takes bytes of any length; a character cut in two is completed by the next call. */
  append(bytes: Uint8Array): void;
  /** Start and end, with a line between them that says how much is omitted. */
  text(): string;
  /** Whether something was left out. */
  readonly truncated: boolean;
}

/** Creates an excerpt that stores `limitBytes` of UTF-8 text; invalid bytes become U+FFFD. */
export function createOutputExcerpt({ limitBytes }: { readonly limitBytes: number }): OutputExcerpt {
  const headBytes = Math.max(0, Math.floor(Math.min(limitBytes, maxOutputBytes) / 2));
  return new HeadAndTail(headBytes, createOutputBuffer({ limitBytes: limitBytes - headBytes }));
}

class HeadAndTail implements OutputExcerpt {
  readonly #pieces = new Utf8Pieces();
  readonly #tail: OutputBuffer;
  #head = '';
  #headRoom: number;

  constructor(headBytes: number, tail: OutputBuffer) {
    this.#headRoom = headBytes;
    this.#tail = tail;
  }

  get truncated(): boolean {
    return this.#tail.truncated;
  }

  append(bytes: Uint8Array): void {
    const complete = this.#pieces.take(bytes);
    const room = complete.subarray(0, this.#headRoom);
    const fitting = room.subarray(0, wholeCharactersLength(room));
    this.#head += decoder.decode(fitting);
    // Once a character did not fit, the head is over: what comes later does not belong there.
    this.#headRoom = fitting.length < complete.length ? 0 : this.#headRoom - fitting.length;
    this.#tail.append(complete.subarray(fitting.length));
  }

  text(): string {
    const head = this.#head;
    const tail = this.#tail.text();
    if (!this.#tail.truncated) return head + tail;
    const gap = `[${String(this.#tail.droppedBytes)} bytes are left out here]\n`;
    return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${gap}${tail}`;
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
