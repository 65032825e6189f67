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
  /** The buffer that starts with the lines. */
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

  /** Total length of the lines. For an open line, characters are counted instead of bytes, without its end. */
  get bytes(): number {
    return this.#open === undefined ? this.#bytes : this.#bytes + this.#open.length;
  }

  /**
   * Adds the line of a record that is already JSON. Returns its length; a line longer than `maxBytes` is not added.
   *
   * @param settle Called if the line was dropped because it could not be written. @default the line waits
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

  /** Extends the record of the open line. False if there is none, or it is too long: nothing was added. */
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

  /** Appends text. Returns its length; text longer than `maxBytes` is not added. */
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

  /** Removes all lines, to write them. Lines that are added meanwhile come next. */
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

  /** Marks the removed lines as written. */
  written({ buffer, claims }: TakenLines): void {
    if (buffer.length <= keptBytes) this.#spare = buffer;
    for (const { settle } of claims) settle();
  }

  /** Puts back the lines that were not written, at the front, without the claimed ones. */
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

/** A line whose record can be extended. */
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

/** Approximate length of an unfinished line: a torn write loses at most as much. */
const openBytes = 64 * 1024;

const nothing: Buffer = Buffer.alloc(0);
/** Initial size of the buffer. */
const firstBytes = 4096;
/** Larger buffers are not reused. */
const keptBytes = 1024 * 1024;
/** Bytes of a UTF-16 code unit in UTF-8, at most. */
const mostBytesPerCharacter = 3;
