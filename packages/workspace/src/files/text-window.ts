import type { FileHandle } from 'node:fs/promises';
import type { TextDecoder } from 'node:util';
import { checkNotAborted } from '../error.ts';
import { type Encoding, createDecoder, detectEncoding } from './encoding.ts';

/** The part of a file to read, and its maximum size. */
export interface WindowOptions {
  /** The first line, counted from 1. */
  readonly line: number;
  /** How many lines. */
  readonly limit: number;
  /** The most text, in bytes of UTF-8. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  /** The length of the file, if known: a window that reaches exactly this far is complete. */
  readonly size?: number;
}

/** The result of reading a window. */
export type TextWindow =
  | {
      readonly kind: 'text';
      /** The lines exactly as they are in the file, line ends included. */
      readonly text: string;
      /** How many lines the whole file has. */
      readonly lines: number;
      readonly encoding: Encoding;
    }
  | { readonly kind: 'binary' }
  | { readonly kind: 'too-large'; readonly encoding: Encoding };

/** Reads a window of lines of an open file, however large the file is, in bounded memory. */
export async function readWindow(handle: FileHandle, options: WindowOptions): Promise<TextWindow> {
  const reading = new WindowReading(options);
  // Not cleared: only what was read is looked at.
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let done = 0;
  for (;;) {
    checkNotAborted(options.signal, 'read');
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    done += bytesRead;
    const isEnd = bytesRead === 0 || (done === options.size && bytesRead < chunk.length);
    const window = reading.take(chunk.subarray(0, bytesRead), isEnd);
    if (window !== undefined) return window;
  }
}

/** A window of lines of a whole file. */
export function windowOf(bytes: Uint8Array, options: WindowOptions): TextWindow {
  // The end of a file has an answer.
  return new WindowReading(options).take(bytes, true) ?? { kind: 'binary' };
}

/** A window that is read piece by piece. */
class WindowReading {
  readonly #collector: LineCollector;
  #decoder: TextDecoder | undefined;
  #encoding: Encoding = 'utf-8';

  constructor(options: WindowOptions) {
    this.#collector = new LineCollector(options);
  }

  /** Takes the next bytes of the file. Returns the result as soon as it is known, at the end at the latest. */
  take(bytes: Uint8Array, isEnd: boolean): TextWindow | undefined {
    if (this.#decoder === undefined) {
      this.#encoding = detectEncoding(bytes);
      this.#decoder = createDecoder(this.#encoding);
    }
    const encoding = this.#encoding;
    for (const part of isEnd && bytes.length > 0 ? [bytes, endOfFile] : [bytes]) {
      const piece = decodePiece(this.#decoder, part);
      if (piece === undefined) return { kind: 'binary' };
      if (!this.#collector.take(piece)) return { kind: 'too-large', encoding };
    }
    if (!isEnd) return undefined;
    return { kind: 'text', text: this.#collector.text(), lines: this.#collector.lines(), encoding };
  }
}

const endOfFile = new Uint8Array();

/** Bytes of one read. */
const chunkBytes = 64 * 1024;

/** The next piece of the text, or undefined when this is no text. An empty chunk ends the file. */
function decodePiece(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    const piece = decoder.decode(bytes, { stream: bytes.length > 0 });
    return piece.includes('\0') ? undefined : piece;
  } catch {
    // The decoder is strict: these bytes are not in the file's encoding.
    return undefined;
  }
}

/** Counts lines, and stores those of the window. */
class LineCollector {
  readonly #first: number;
  readonly #end: number;
  readonly #maxBytes: number;
  readonly #pieces: string[] = [];
  #bytes = 0;
  /** The line that the next character belongs to, counted from 1. */
  #line = 1;
  #endsInsideLine = false;

  constructor(options: WindowOptions) {
    this.#first = Math.max(1, options.line);
    this.#end = this.#first + Math.max(0, options.limit);
    this.#maxBytes = options.maxBytes;
  }

  /** False when the window has become too large. */
  take(piece: string): boolean {
    let start = this.#isInWindow() ? 0 : -1;
    let at = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', at)) {
      at = end + 1;
      this.#line++;
      if (this.#line === this.#first && this.#isInWindow()) start = at;
      if (this.#line === this.#end && start !== -1) {
        this.#keep(piece.slice(start, at));
        start = -1;
      }
    }
    if (start !== -1) this.#keep(piece.slice(start));
    if (piece.length > 0) this.#endsInsideLine = at < piece.length;
    return this.#bytes <= this.#maxBytes;
  }

  text(): string {
    return this.#pieces.join('');
  }

  lines(): number {
    return this.#endsInsideLine ? this.#line : this.#line - 1;
  }

  #isInWindow(): boolean {
    return this.#line >= this.#first && this.#line < this.#end;
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    this.#bytes += Buffer.byteLength(piece);
  }
}
