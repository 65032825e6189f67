import { sumLine, toLineEnd, toOpenLine, toUnsummed } from './log-line.ts';

/** A line that must not be written after its caller was answered: it is in the file, or dropped. */
export interface LineClaim {
  readonly start: number;
  readonly end: number;
  /** Called once: without an error when the line is in the file, with one when it never will be. */
  readonly settle: (error?: Error) => void;
}

/** Lines that are being written. */
export interface TakenLines {
  /** What they stand at the beginning of. */
  readonly buffer: Buffer;
  readonly lines: Buffer;
  readonly claims: readonly LineClaim[];
}

/** Lines on their way to a file, as the bytes that are written at once. */
export class LineBatch {
  /** Filled from its beginning; another one takes its place when it is too small, and while it is being written. */
  #buffer: Buffer = nothing;
  #spare: Buffer = nothing;
  #bytes = 0;
  #claims: LineClaim[] = [];
  /** The last line, while more can be added to its record; its pieces and what ends it are not in the buffer yet. */
  #open: OpenLine | undefined;

  /** How long the lines are, together; of an open one the pieces count as characters, and its end does not. */
  get bytes(): number {
    return this.#open === undefined ? this.#bytes : this.#bytes + this.#open.length;
  }

  /**
   * Adds the line of a record that is JSON already. Returns how long the line is: one that is longer than `maxBytes` was
   * not added.
   *
   * @param settle The line is dropped when it cannot be written, and this says so. @default it waits
   */
  add(json: string, maxBytes: number, settle?: LineClaim['settle']): number {
    this.#close();
    const start = this.#bytes;
    const bytes = this.#write(toUnsummed(json), maxBytes);
    if (bytes > maxBytes) return bytes;
    sumLine(this.#buffer, start, this.#bytes);
    if (settle !== undefined) this.#claims.push({ start, end: this.#bytes, settle });
    return bytes;
  }

  /** Adds a line as `add` does, that stays open: `extend` adds to its record until it is written, or another line comes. */
  addOpen(record: string, tail: string, maxBytes: number): number {
    if (record.length > openBytes) return this.add(record + tail, maxBytes);
    this.#close();
    const start = this.#bytes;
    const bytes = this.#write(toOpenLine(record), maxBytes);
    if (bytes <= maxBytes) this.#open = { start, pieces: [], length: 0, tail };
    return bytes;
  }

  /** Adds to the record of the open line. False when there is none, or it has become long: nothing is added then. */
  extend(piece: string, tail: string): boolean {
    const open = this.#open;
    if (open === undefined || this.#bytes - open.start + open.length + piece.length > openBytes) return false;
    open.pieces.push(piece);
    open.length += piece.length;
    open.tail = tail;
    return true;
  }

  /** Ends the open line. */
  #close(): void {
    if (this.#open === undefined) return;
    const { start, pieces, tail } = this.#open;
    this.#open = undefined;
    pieces.push(toLineEnd(tail));
    // All of them at once: to write one costs more than its characters do.
    this.#write(pieces.join(''), Number.POSITIVE_INFINITY);
    sumLine(this.#buffer, start, this.#bytes);
  }

  /** Writes text behind the others. Returns how long it is: one that is longer than `maxBytes` was not written. */
  #write(text: string, maxBytes: number): number {
    const start = this.#bytes;
    if (start + text.length * mostBytesPerCharacter > this.#buffer.length) {
      const bytes = Buffer.byteLength(text);
      if (bytes > maxBytes) return bytes;
      this.#grow(start + bytes);
    }
    const bytes = this.#buffer.write(text, start);
    if (bytes <= maxBytes) this.#bytes = start + bytes;
    return bytes;
  }

  /** Takes all lines out, to write them. What is added meanwhile comes next. */
  take(): TakenLines {
    this.#close();
    const buffer = this.#buffer;
    const taken = { buffer, lines: buffer.subarray(0, this.#bytes), claims: this.#claims };
    this.#buffer = this.#spare;
    this.#spare = nothing;
    this.#bytes = 0;
    this.#claims = [];
    return taken;
  }

  /** All that was taken is in the file. */
  written({ buffer, claims }: TakenLines): void {
    if (buffer.length <= keptBytes) this.#spare = buffer;
    for (const { settle } of claims) settle();
  }

  /** Of what was taken, only the first bytes are in the file: the others come first again, without the claimed lines. */
  restore({ lines, claims }: TakenLines, writtenBytes: number, error: Error): void {
    this.#close();
    const before = unclaimed(lines, claims, writtenBytes);
    const after = unclaimed(this.#buffer.subarray(0, this.#bytes), this.#claims, 0);
    const dropped = this.#claims;
    this.#buffer = Buffer.concat([...before, ...after]);
    this.#bytes = this.#buffer.length;
    this.#claims = [];
    for (const { end, settle } of claims) settle(end <= writtenBytes ? undefined : error);
    for (const { settle } of dropped) settle(error);
  }

  /** Drops the claimed lines; the others wait. */
  dropClaimed(error: Error): void {
    if (this.#claims.length > 0) this.restore({ buffer: nothing, lines: nothing, claims: [] }, 0, error);
  }

  #grow(needed: number): void {
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2, firstBytes));
    this.#buffer.copy(larger, 0, 0, this.#bytes);
    this.#buffer = larger;
  }
}

/** A line whose record goes on. */
interface OpenLine {
  readonly start: number;
  readonly pieces: string[];
  /** Of the pieces, in characters. */
  length: number;
  /** What ends the record. */
  tail: string;
}

/** What of some lines is no claimed one, from a position on that is the beginning of a line. */
function unclaimed(lines: Buffer, claims: readonly LineClaim[], from: number): readonly Buffer[] {
  const parts: Buffer[] = [];
  let at = from;
  for (const { start, end } of claims) {
    if (end <= from) continue;
    parts.push(lines.subarray(at, start));
    at = end;
  }
  return [...parts, lines.subarray(at)];
}

/** About how long an open line may become: what is torn off loses as much. */
const openBytes = 64 * 1024;

const nothing: Buffer = Buffer.alloc(0);
const firstBytes = 4096;
/** A buffer that is larger than this is not kept for what comes next. */
const keptBytes = 1024 * 1024;
const mostBytesPerCharacter = 3;
