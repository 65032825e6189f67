import type { FileHandle } from 'node:fs/promises';
import { checkHeader, type LogFormat, noLog, toHeader } from './log-format.ts';
import { readLine, recordText, toLine } from './log-line.ts';

/** What was found beside the records. */
export interface LogScan {
  /** End of the last complete line; 0 if even the header is missing. */
  readonly goodBytes: number;
  /** Number of bytes after it: incomplete after a crash, or damaged. */
  readonly tailBytes: number;
  /** Lines between whole ones that are not whole themselves. */
  readonly damagedLines: number;
  /** The version in the header; that of the format without a header. */
  readonly version: number;
}

/** Options of a scan. */
export interface ScanOptions {
  readonly path: string;
  readonly format: LogFormat;
  readonly maxLineBytes: number;
  /** Takes each record, in order; a promise is waited for. */
  readonly read: (record: unknown) => void | Promise<void>;
  /** Whether to parse a record, by its text; others count as complete without being parsed. */
  readonly wants: (json: string) => boolean;
}

/** Reads a log from its beginning to where it ends now. */
export async function scanLog(file: FileHandle, options: ScanOptions): Promise<LogScan> {
  const { path, format, read, wants } = options;
  let goodBytes = 0;
  let damagedLines = 0;
  let damagedSinceGood = 0;
  let offset = 0;
  let { version } = format;
  for await (const lines of linesOf(file, options.maxLineBytes)) {
    for (const line of lines) {
      offset += line.bytes;
      if (goodBytes > 0 && line.text !== undefined && !wants(recordText(line.text))) {
        goodBytes = offset;
        continue;
      }
      const found = line.text === undefined ? notWhole : readLine(line.text);
      if (goodBytes === 0) {
        // A file that does not begin as a log is not ours to cut, unless it is a header that was being written.
        if (!found.isWhole) throw noLog(format, path);
        version = checkHeader(found.record, format, path);
      } else if (found.isWhole) {
        damagedLines += damagedSinceGood;
        damagedSinceGood = 0;
        const reading = read(found.record);
        if (reading !== undefined) await reading;
      } else {
        damagedSinceGood += 1;
        continue;
      }
      goodBytes = offset;
    }
  }
  const { size } = await file.stat();
  if (goodBytes === 0) await checkTornHeader(file, size, options);
  return { goodBytes, tailBytes: Math.max(0, size - goodBytes), damagedLines, version };
}

const notWhole = { isWhole: false } as const;
/** Bytes of one read. */
const readBytes = 512 * 1024;
/** Bytes of the first read: many readers need only the beginning of a log. */
const firstReadBytes = 64 * 1024;
const newline = 0x0a;

/** A line of the file. */
export interface ScannedLine {
  /** The line without its newline; absent when it is longer than a line may be. */
  readonly text?: string;
  /** Its length in the file, newline included. */
  readonly bytes: number;
}

/**
 * The complete lines from a position on, in one list per read; a line without a newline may still be being written.
 * The lists must be consumed in order.
 */
export async function* linesOf(
  file: FileHandle,
  maxLineBytes: number,
  from = 0,
): AsyncGenerator<Iterable<ScannedLine>, void, undefined> {
  const begun = new BegunLine(maxLineBytes);
  for await (const chunk of chunksOf(file, from)) yield linesIn(chunk, begun);
}

/** The file in chunks. Each has to be consumed before the next one is requested. */
async function* chunksOf(file: FileHandle, from: number): AsyncGenerator<Buffer, void, undefined> {
  const first = Buffer.allocUnsafe(firstReadBytes);
  const { bytesRead } = await file.read(first, 0, first.length, from);
  if (bytesRead === 0) return;
  yield first.subarray(0, bytesRead);
  yield* chunksAhead(file, from + bytesRead, bytesRead < first.length ? firstReadBytes : readBytes);
}

/** The same, the next piece being read while one is looked at. */
async function* chunksAhead(
  file: FileHandle,
  from: number,
  pieceBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let position = from;
  let filling = Buffer.allocUnsafe(pieceBytes);
  let spare = Buffer.allocUnsafe(pieceBytes);
  let reading = file.read(filling, 0, pieceBytes, position);
  try {
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      position += bytesRead;
      const filled = filling;
      filling = spare;
      spare = filled;
      reading = file.read(filling, 0, pieceBytes, position);
      yield filled.subarray(0, bytesRead);
    }
  } finally {
    // A consumer that stops early closes the file: nothing may be reading it then.
    await reading.catch(() => undefined);
  }
}

/** Yields lines one by one, which allows them to be garbage collected earlier than a list. */
function* linesIn(chunk: Buffer, begun: BegunLine): Generator<ScannedLine, void, undefined> {
  let start = 0;
  for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
    yield begun.end(chunk, start, end);
    start = end + 1;
  }
  begun.keep(chunk.subarray(start));
}

/** What was read of the line that has not ended yet. */
class BegunLine {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The line that ends with a piece of a chunk. */
  end(chunk: Buffer, start: number, end: number): ScannedLine {
    const bytes = this.#bytes + end + 1 - start;
    if (bytes > this.#maxBytes) {
      this.#parts = [];
      this.#bytes = 0;
      return { bytes };
    }
    if (this.#bytes === 0) return { text: chunk.toString('utf8', start, end), bytes };
    const text = Buffer.concat([...this.#parts, chunk.subarray(start, end)]).toString();
    this.#parts = [];
    this.#bytes = 0;
    return { text, bytes };
  }

  keep(rest: Buffer): void {
    this.#bytes += rest.length;
    // A line that is too long anyway need not be held; its end is looked for.
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else if (rest.length > 0) this.#parts.push(Buffer.from(rest));
  }
}

/** After a crash there may be the start of the header, and nothing else. */
async function checkTornHeader(file: FileHandle, size: number, { format, path }: ScanOptions): Promise<void> {
  const header = toLine(JSON.stringify(toHeader(format)));
  if (size >= header.length) throw noLog(format, path);
  const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
  if (!header.subarray(0, size).equals(buffer)) throw noLog(format, path);
}
