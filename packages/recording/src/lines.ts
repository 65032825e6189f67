/** A line of a file, and its position. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Position of its first byte. */
  readonly offset: number;
  /** Length without its newline. */
  readonly length: number;
  /** Absent if the line is too long to be read. */
  readonly bytes?: Uint8Array;
}

/**
 * Splits bytes into lines. Buffers at most one line, and nothing of an overlong one; the last line needs no newline.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes }: { readonly maxBytes: number },
): AsyncGenerator<Line, void> {
  let held: Uint8Array[] = [];
  let length = 0;
  let offset = 0;
  let number = 0;

  function hold(bytes: Uint8Array): void {
    length += bytes.length;
    if (length > maxBytes) held = [];
    else held.push(bytes);
  }

  function take(): Line {
    number += 1;
    const line = { number, offset, length };
    const bytes = held.length === 1 ? held[0] : concatenate(held);
    const isRead = length <= maxBytes && bytes !== undefined;
    offset += length + 1;
    held = [];
    length = 0;
    return isRead ? { ...line, bytes } : line;
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) hold(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

const newline = 0x0a;

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}
