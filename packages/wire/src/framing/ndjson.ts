import { decodeUtf8 } from './decode-utf8.ts';
import { FrameFault, faultHeadLength, type FrameFaultCode } from './frame-fault.ts';
import { HeldLine } from './held-line.ts';
import { defaultMaxMessageBytes } from './message-size.ts';
import { RepetitionReader } from './repeated-notification.ts';

/** Options of an `NdjsonReader`. */
export interface NdjsonOptions {
  /** The longest line, in bytes without its newline; a longer one is skipped. @default 80 MiB */
  readonly maxLineBytes?: number;
  /** Decodes bytes; `undefined` if they are not UTF-8. @default TextDecoder */
  readonly decode?: (bytes: Uint8Array) => string | undefined;
}

/**
 * Splits bytes into messages, one JSON value per line. The result does not depend on how the bytes are chunked.
 *
 * Empty lines, CRLF and a byte order mark are accepted. A line that is not JSON, not UTF-8 or too long becomes a
 * FrameFault at its position; other lines are not affected. Source: ACP v1, Transports, stdio.
 */
export class NdjsonReader {
  readonly #maxLineBytes: number;
  readonly #decode: (bytes: Uint8Array) => string | undefined;
  readonly #held: HeldLine;
  readonly #repetition = new RepetitionReader();
  /** Set while an overlong line is skipped. */
  #isSkipping = false;

  constructor(options: NdjsonOptions = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? defaultMaxMessageBytes;
    this.#decode = options.decode ?? decodeUtf8;
    this.#held = new HeldLine(this.#maxLineBytes);
  }

  /**
   * Adds bytes and returns the messages that they complete. The bytes may be retained until the line ends, and are
   * not modified.
   */
  push(bytes: Uint8Array): unknown[] {
    if (this.#held.length === 0 && !this.#isSkipping) return this.#readChunk(bytes);
    const end = bytes.indexOf(newline);
    if (end === -1) return this.#hold(bytes);
    const values = this.#isSkipping ? [] : this.#hold(bytes.subarray(0, end));
    if (!this.#isSkipping) values.push(...this.#readHeld());
    this.#isSkipping = false;
    return end + 1 === bytes.length ? values : [...values, ...this.#readChunk(bytes.subarray(end + 1))];
  }

  /** Ends the input. A last line without a newline is returned if it is complete. */
  end(): unknown[] {
    if (this.#held.length === 0) return [];
    return this.#readHeld().map((value) =>
      value instanceof FrameFault && value.code === 'malformed'
        ? new FrameFault('truncated', value.bytes, value.head)
        : value,
    );
  }

  /** Reads bytes that start at the beginning of a line. */
  #readChunk(bytes: Uint8Array): unknown[] {
    const last = bytes.lastIndexOf(newline);
    if (last === -1) return this.#hold(bytes);
    const values = this.#readLines(bytes.subarray(0, last));
    if (last + 1 < bytes.length) values.push(...this.#hold(bytes.subarray(last + 1)));
    return values;
  }

  /** Buffers the beginning of a line, up to the limit. */
  #hold(bytes: Uint8Array): unknown[] {
    if (this.#isSkipping) return [];
    const length = this.#held.length + bytes.length;
    if (length <= this.#maxLineBytes) {
      this.#held.append(bytes);
      return [];
    }
    this.#isSkipping = true;
    const head = this.#held.length === 0 ? bytes : this.#held.bytes();
    const fault = this.#fault('too-large', head, length);
    this.#held.release();
    return [fault];
  }

  /** Reads the buffered line, which is complete. */
  #readHeld(): unknown[] {
    const value = this.#readLine(this.#held.bytes(), () => this.#held.release());
    this.#held.release();
    return value === nothing ? [] : [value];
  }

  /** Reads complete lines together: one decoding for all of them, as long as they are valid. */
  #readLines(bytes: Uint8Array): unknown[] {
    if (bytes.length > this.#maxLineBytes) return this.#readEachLine(bytes);
    const text = this.#decode(bytes);
    if (text === undefined || text.charCodeAt(0) === byteOrderMark) return this.#readEachLine(bytes);
    const values: unknown[] = [];
    this.#repetition.begin();
    for (let start = 0; start <= text.length;) {
      const found = text.indexOf('\n', start);
      const end = found === -1 ? text.length : found;
      const repeated = this.#repetition.read(text, start, end);
      if (repeated !== undefined) {
        values.push(repeated);
        start = end + 1;
        continue;
      }
      const line = start === 0 && end === text.length ? text : text.slice(start, end);
      start = end + 1;
      const value = parseLine(line);
      if (value === nothing) continue;
      values.push(value);
      this.#repetition.learn(line, value);
    }
    return values;
  }

  /** Reads each line separately, for input with an invalid line. */
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

  /** @param onDecoded Called as soon as the bytes are no longer needed. */
  #readLine(bytes: Uint8Array, onDecoded?: () => void): unknown {
    const { length } = bytes;
    if (length > this.#maxLineBytes) return this.#fault('too-large', bytes, length);
    const text = this.#decode(bytes);
    if (text === undefined) return this.#fault('encoding', bytes, length);
    onDecoded?.();
    return this.#repetition.read(text, 0, text.length) ?? parseLine(text);
  }

  #fault(code: FrameFaultCode, bytes: Uint8Array, length: number): FrameFault {
    return new FrameFault(code, length, new TextDecoder().decode(bytes.slice(0, faultHeadLength)));
  }
}

const newline = 10;
const byteOrderMark = 0xfe_ff;

/** The mark of an empty line. */
const nothing: unique symbol = Symbol('nothing');

/** The value of a line; {@link nothing} for an empty one, and a fault for one that is no JSON. */
function parseLine(line: string): unknown {
  const text = line.charCodeAt(0) === byteOrderMark ? line.slice(1) : line;
  if (mayBeJson.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // A fault.
    }
  }
  if (text.trim() === '') return nothing;
  return new FrameFault('malformed', utf8Length(text), text.slice(0, faultHeadLength));
}

/** How JSON begins. A flood of other lines must not cost an exception for each: nothing else would run meanwhile. */
const mayBeJson = /^[\t\r\n ]*[-[{"\dtfn]/;

const encoder = new TextEncoder();

function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
