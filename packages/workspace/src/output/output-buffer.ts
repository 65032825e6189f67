import { nextBoundary } from './character-boundary.ts';
import { Utf8Pieces } from './utf8-pieces.ts';

/** The end of a command's output, up to a limit. */
export interface OutputBuffer {
  /** Appends bytes of any length; a split character is completed by the next call. */
  append(bytes: Uint8Array): void;
  /** The stored output, starting at a whole character. */
  text(): string;
  /** Whether output was dropped from the beginning. */
  readonly truncated: boolean;
  /** Number of dropped bytes. */
  readonly droppedBytes: number;
  /** Number of all appended bytes, including dropped ones. */
  readonly totalBytes: number;
}

/** Size of a buffer, even if its limit is higher: 64 MiB. */
export const maxOutputBytes: number = 64 * 1024 * 1024;

/** Creates a buffer for the last `limitBytes` of UTF-8 text; invalid bytes become U+FFFD. */
export function createOutputBuffer(options: { readonly limitBytes: number }): OutputBuffer {
  return new RingBuffer(Math.max(0, Math.min(Math.floor(options.limitBytes), maxOutputBytes)));
}

const firstCapacity = 4096;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text as UTF-8 in a ring, which grows by doubling until it has the limit's size. */
class RingBuffer implements OutputBuffer {
  readonly #limit: number;
  readonly #pieces = new Utf8Pieces();
  #ring = new Uint8Array(0);
  #start = 0;
  #length = 0;
  #droppedBytes = 0;
  #totalBytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get truncated(): boolean {
    return this.#droppedBytes > 0;
  }

  get droppedBytes(): number {
    return this.#droppedBytes;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  append(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length;
    this.#push(this.#pieces.take(bytes));
  }

  text(): string {
    return decoder.decode(concat(this.#segment(0), this.#segment(1)));
  }

  #push(bytes: Uint8Array): void {
    const kept = bytes.length > this.#limit ? bytes.subarray(bytes.length - this.#limit) : bytes;
    if (kept.length < bytes.length) {
      this.#drop(this.#length);
      this.#droppedBytes += bytes.length - kept.length;
    }
    this.#grow(this.#length + kept.length);
    const over = this.#length + kept.length - this.#ring.length;
    if (over > 0) this.#drop(over);
    const at = (this.#start + this.#length) % Math.max(1, this.#ring.length);
    const first = kept.subarray(0, this.#ring.length - at);
    this.#ring.set(first, at);
    this.#ring.set(kept.subarray(first.length), 0);
    this.#length += kept.length;
    this.#alignStart();
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#droppedBytes += count;
    this.#start = (this.#start + count) % this.#ring.length;
    this.#length -= count;
  }

  /** After something was dropped the front may lie inside a character: its rest goes too. */
  #alignStart(): void {
    if (this.#droppedBytes === 0) return;
    const { length } = this.#ring;
    const boundary = nextBoundary(
      (index) => this.#ring[(this.#start + index) % length] ?? 0,
      0,
      this.#length,
    );
    this.#drop(boundary);
  }

  #grow(needed: number): void {
    if (needed <= this.#ring.length || this.#ring.length === this.#limit) return;
    let capacity = Math.max(firstCapacity, this.#ring.length);
    while (capacity < needed) capacity *= 2;
    const grown = new Uint8Array(Math.min(capacity, this.#limit));
    const first = this.#segment(0);
    grown.set(first);
    grown.set(this.#segment(1), first.length);
    this.#ring = grown;
    this.#start = 0;
  }

  /** The kept bytes lie in one or two runs of the ring. */
  #segment(index: 0 | 1): Uint8Array {
    const end = this.#start + this.#length;
    if (index === 0) return this.#ring.subarray(this.#start, Math.min(end, this.#ring.length));
    return this.#ring.subarray(0, Math.max(0, end - this.#ring.length));
  }
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (right.length === 0) return left;
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
