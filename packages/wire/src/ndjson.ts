import { FrameFault, faultHeadLength, type FrameFaultCode } from './frame-fault.ts';

/** How lines are read. */
export interface NdjsonOptions {
  /** The longest line, in bytes without its newline; a longer one is skipped. @default 80 MiB */
  readonly maxLineBytes?: number;
  /** Bytes to text; `undefined` when they are not UTF-8. @default TextDecoder */
  readonly decode?: (bytes: Uint8Array) => string | undefined;
  /** Joins pieces. @default a copy into one Uint8Array */
  readonly concat?: (pieces: readonly Uint8Array[], length: number) => Uint8Array;
}

/** The longest line unless an option says otherwise, in bytes. */
export const defaultMaxLineBytes: number = 80 * 1024 * 1024;

/**
 * Bytes to messages, one JSON value a line. Any split of the bytes gives the same messages.
 *
 * Empty lines, CRLF and a byte order mark are tolerated. A line that is no JSON, not UTF-8 or too long becomes a
 * FrameFault at its place; the lines around it are not touched. Source: ACP v1, Transports, stdio.
 */
export class NdjsonReader {
  readonly #maxLineBytes: number;
  readonly #decode: (bytes: Uint8Array) => string | undefined;
  readonly #concat: (pieces: readonly Uint8Array[], length: number) => Uint8Array;
  /** The beginning of a line whose end has not come yet. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** While an over-long line is being skipped. */
  #isSkipping = false;

  constructor(options: NdjsonOptions = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes;
    this.#decode = options.decode ?? decodeUtf8;
    this.#concat = options.concat ?? concatBytes;
  }

  /** Takes bytes; returns what they complete. The bytes are not changed, and may be kept until the line ends. */
  push(bytes: Uint8Array): unknown[] {
    const last = bytes.lastIndexOf(newline);
    if (last === -1) return this.#keep(bytes, []);
    const values = this.#readLines(this.#take(bytes.subarray(0, last)));
    return last + 1 === bytes.length ? values : this.#keep(bytes.subarray(last + 1), values);
  }

  /** The input ended. A last line without a newline counts when it is whole. */
  end(): unknown[] {
    if (this.#isSkipping || this.#length === 0) return [];
    const line = this.#take(empty);
    const value = this.#readLine(line);
    if (value instanceof FrameFault && value.code === 'malformed') {
      return [new FrameFault('truncated', value.bytes, value.head)];
    }
    return value === nothing ? [] : [value];
  }

  /** Keeps the beginning of a line. */
  #keep(bytes: Uint8Array, values: unknown[]): unknown[] {
    if (this.#isSkipping) return values;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    if (this.#length <= this.#maxLineBytes) return values;
    values.push(this.#fault('too-large', this.#take(empty)));
    this.#isSkipping = true;
    return values;
  }

  /** What was kept, and the bytes behind it. */
  #take(bytes: Uint8Array): Uint8Array {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      const end = bytes.indexOf(newline);
      return end === -1 ? empty : bytes.subarray(end + 1);
    }
    if (this.#length === 0) return bytes;
    const pieces = this.#pieces;
    const length = this.#length + bytes.length;
    if (bytes.length > 0) pieces.push(bytes);
    this.#pieces = [];
    this.#length = 0;
    const [first] = pieces;
    return pieces.length === 1 && first !== undefined ? first : this.#concat(pieces, length);
  }

  /** Reads whole lines at once: one decoding for all of them, while nothing is wrong. */
  #readLines(bytes: Uint8Array): unknown[] {
    if (bytes.length > this.#maxLineBytes) return this.#readEachLine(bytes);
    const text = this.#decode(bytes);
    if (text === undefined || text.charCodeAt(0) === byteOrderMark) return this.#readEachLine(bytes);
    const values: unknown[] = [];
    for (let start = 0; start <= text.length;) {
      const found = text.indexOf('\n', start);
      const end = found === -1 ? text.length : found;
      const line = start === 0 && end === text.length ? text : text.slice(start, end);
      start = end + 1;
      try {
        values.push(JSON.parse(line));
      } catch {
        const value = this.#reread(line);
        if (value !== nothing) values.push(value);
      }
    }
    return values;
  }

  /** Each line by itself, for input in which something is wrong. */
  #readEachLine(bytes: Uint8Array): unknown[] {
    const values: unknown[] = [];
    for (let start = 0; start <= bytes.length;) {
      const found = bytes.indexOf(newline, start);
      const end = found === -1 ? bytes.length : found;
      const value = this.#readLine(bytes.subarray(start, end));
      if (value !== nothing) values.push(value);
      start = end + 1;
    }
    return values;
  }

  #readLine(bytes: Uint8Array): unknown {
    if (bytes.length > this.#maxLineBytes) return this.#fault('too-large', bytes);
    const text = this.#decode(bytes);
    if (text === undefined) return this.#fault('encoding', bytes);
    return this.#reread(text);
  }

  /** A line that is not plainly JSON: empty, with a byte order mark, or bad. */
  #reread(line: string): unknown {
    const text = line.charCodeAt(0) === byteOrderMark ? line.slice(1) : line;
    if (text.trim() === '') return nothing;
    try {
      return JSON.parse(text);
    } catch {
      return new FrameFault('malformed', utf8Length(text), text.slice(0, faultHeadLength));
    }
  }

  #fault(code: FrameFaultCode, bytes: Uint8Array): FrameFault {
    const head = new TextDecoder().decode(bytes.subarray(0, faultHeadLength));
    return new FrameFault(code, bytes.length, head);
  }
}

const newline = 10;
const byteOrderMark = 0xfe_ff;
const empty = new Uint8Array(0);

/** Stands for an empty line. */
const nothing: unique symbol = Symbol('nothing');

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

function concatBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
