import { sumLine, toUnsummed } from './log-line.ts';

/** Lines on their way to a file, as the bytes that are written at once. */
export class LineBatch {
  /** Filled from its beginning; another one takes its place when it is too small, and while it is being written. */
  #buffer: Buffer = nothing;
  #spare: Buffer = nothing;
  #bytes = 0;

  /** How long the lines are, together. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds the line of a record that is JSON already. Returns how long the line is: one that is longer than `maxBytes` was
   * not added.
   */
  add(json: string, maxBytes: number): number {
    const line = toUnsummed(json);
    const start = this.#bytes;
    if (start + line.length * mostBytesPerCharacter > this.#buffer.length) {
      const bytes = Buffer.byteLength(line);
      if (bytes > maxBytes) return bytes;
      this.#grow(start + bytes);
    }
    const bytes = this.#buffer.write(line, start);
    if (bytes > maxBytes) return bytes;
    this.#bytes = start + bytes;
    sumLine(this.#buffer, start, this.#bytes);
    return bytes;
  }

  /** Hands the lines to whoever writes them; they are gone from here at once. What is added meanwhile comes next. */
  async drain(write: (lines: Buffer) => Promise<void>): Promise<void> {
    const full = this.#buffer;
    const lines = full.subarray(0, this.#bytes);
    this.#buffer = this.#spare;
    this.#spare = nothing;
    this.#bytes = 0;
    await write(lines);
    if (full.length <= keptBytes) this.#spare = full;
  }

  /** The same, where the writing is over when it returns. */
  drainNow(write: (lines: Buffer) => void): void {
    const lines = this.#buffer.subarray(0, this.#bytes);
    this.#bytes = 0;
    write(lines);
  }

  /** Forgets the lines. */
  clear(): void {
    this.#buffer = nothing;
    this.#bytes = 0;
  }

  #grow(needed: number): void {
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2, firstBytes));
    this.#buffer.copy(larger, 0, 0, this.#bytes);
    this.#buffer = larger;
  }
}

const nothing: Buffer = Buffer.alloc(0);
const firstBytes = 4096;
/** A buffer that is larger than this is not kept for what comes next. */
const keptBytes = 1024 * 1024;
const mostBytesPerCharacter = 3;
