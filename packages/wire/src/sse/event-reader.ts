import { decodeUtf8 } from '../framing/decode-utf8.ts';
import { FrameFault, faultHeadLength, type FrameFaultCode } from '../framing/frame-fault.ts';
import { HeldLine } from '../framing/held-line.ts';
import { defaultMaxMessageBytes } from '../framing/message-size.ts';

/** One server-sent event. */
export interface ServerSentEvent {
  /** The type of the event; `message` if the sender specified none. */
  readonly event: string;
  readonly data: string;
  /** The last id that the sender specified, with this event or an earlier one. */
  readonly id?: string;
}

/** Options of an `EventReader`. */
export interface EventReaderOptions {
  /** The longest event, in bytes; a longer one is skipped. @default 80 MiB */
  readonly maxEventBytes?: number;
}

/**
 * Splits bytes into server-sent events. The result does not depend on how the bytes are chunked.
 *
 * Lines may end with LF, CR or CRLF; comments and unknown fields are skipped. An event that is too long or not UTF-8
 * becomes a FrameFault at its position; other events are not affected. Source: HTML Living Standard, section 9.2.6.
 */
export class EventReader {
  readonly #maxEventBytes: number;
  /** The buffered beginning of a line. */
  readonly #held: HeldLine;
  #isFirstLine = true;
  /** Set if the last chunk ended with CR: a following LF belongs to it. */
  #isAfterCr = false;
  /** Set while an invalid event is skipped; `isInLine` if part of its current line was skipped. */
  #skipped: { isInLine: boolean } | undefined;
  #eventBytes = 0;
  #event = '';
  #data: string[] = [];
  #id: string | undefined;
  #retryMs: number | undefined;

  constructor(options: EventReaderOptions = {}) {
    this.#maxEventBytes = options.maxEventBytes ?? defaultMaxMessageBytes;
    this.#held = new HeldLine(this.#maxEventBytes);
  }

  /** The last id that the sender specified, to be sent as `Last-Event-ID` by a new request. */
  get lastEventId(): string | undefined {
    return this.#id;
  }

  /** The delay before a reconnection that the sender requested, if any. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /**
   * Adds bytes and returns the events that they complete. The bytes may be retained until the line ends, and are not
   * modified.
   */
  push(bytes: Uint8Array): (ServerSentEvent | FrameFault)[] {
    const found: Found[] = [];
    if (bytes.length === 0) return found;
    let start = this.#isAfterCr && bytes[0] === lineFeed ? 1 : 0;
    this.#isAfterCr = bytes.at(-1) === carriageReturn;
    let feed = bytes.indexOf(lineFeed, start);
    let carriage = bytes.indexOf(carriageReturn, start);
    while (feed !== -1 || carriage !== -1) {
      const isFeed = carriage === -1 || (feed !== -1 && feed < carriage);
      const end = isFeed ? feed : carriage;
      this.#takeLine(bytes.subarray(start, end), found);
      start = end + (!isFeed && feed === carriage + 1 ? 2 : 1);
      if (feed !== -1 && feed < start) feed = bytes.indexOf(lineFeed, start);
      if (carriage !== -1 && carriage < start) carriage = bytes.indexOf(carriageReturn, start);
    }
    if (start < bytes.length) this.#hold(bytes.subarray(start), found);
    return found;
  }

  /** Ends the input. An event without its final empty line is reported as `truncated`. */
  end(): FrameFault[] {
    const length = this.#eventBytes + this.#held.length;
    const isWhole = length === 0 || this.#skipped !== undefined;
    const fault = isWhole ? [] : [this.#fault('truncated', this.#held.bytes(), length)];
    this.#held.release();
    this.#clearEvent();
    return fault;
  }

  #hold(piece: Uint8Array, found: Found[]): void {
    if (this.#skipped !== undefined) {
      this.#skipped.isInLine = true;
      return;
    }
    if (this.#isTooLong(piece)) return this.#skip('too-large', piece, found, true);
    this.#held.append(piece);
  }

  /** @param piece The part of the line that is not buffered yet. */
  #takeLine(piece: Uint8Array, found: Found[]): void {
    if (this.#skipped !== undefined) {
      const isEmpty = piece.length === 0 && !this.#skipped.isInLine;
      this.#skipped = isEmpty ? undefined : { isInLine: false };
      return;
    }
    if (this.#isTooLong(piece)) return this.#skip('too-large', piece, found, false);
    if (this.#held.length === 0) return this.#readLine(piece, found);
    this.#held.append(piece);
    this.#readLine(this.#held.bytes(), found);
    this.#held.release();
  }

  #readLine(bytes: Uint8Array, found: Found[]): void {
    const line = this.#isFirstLine && startsWithMark(bytes) ? bytes.subarray(3) : bytes;
    this.#isFirstLine = false;
    if (line.length === 0) return this.#dispatch(found);
    if (line[0] === colon) return;
    const text = decodeUtf8(line);
    if (text === undefined) return this.#skip('encoding', line, found, false);
    this.#eventBytes += line.length + 1;
    const end = text.indexOf(':');
    const field = end === -1 ? text : text.slice(0, end);
    const value = end === -1 ? '' : text.slice(text.charCodeAt(end + 1) === space ? end + 2 : end + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.#retryMs = Number(value);
  }

  #dispatch(found: Found[]): void {
    if (this.#data.length > 0) {
      found.push({
        event: this.#event === '' ? 'message' : this.#event,
        data: this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n'),
        ...(this.#id !== undefined && { id: this.#id }),
      });
    }
    this.#clearEvent();
  }

  #skip(code: FrameFaultCode, bytes: Uint8Array, found: Found[], isInLine: boolean): void {
    const length = this.#eventBytes + this.#held.length + bytes.length;
    found.push(this.#fault(code, this.#held.length === 0 ? bytes : this.#held.bytes(), length));
    this.#held.release();
    this.#clearEvent();
    this.#skipped = { isInLine };
  }

  #fault(code: FrameFaultCode, lastLine: Uint8Array, length: number): FrameFault {
    const [first] = this.#data;
    const head = first ?? new TextDecoder().decode(lastLine.slice(0, faultHeadLength));
    return new FrameFault(code, length, head.slice(0, faultHeadLength));
  }

  #isTooLong(piece: Uint8Array): boolean {
    return this.#eventBytes + this.#held.length + piece.length > this.#maxEventBytes;
  }

  #clearEvent(): void {
    this.#eventBytes = 0;
    this.#event = '';
    this.#data = [];
  }
}

type Found = ServerSentEvent | FrameFault;

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const colon = 58;

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
