import type { Readable } from 'node:stream';

/** Splits a stream at a byte; a record that is longer than the limit is dropped and reported as undefined. */
export async function* boundedRecords(
  stream: Readable,
  limitBytes: number,
  separator: number,
): AsyncGenerator<string | undefined, void> {
  let pieces: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length <= limitBytes) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of stream) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    let start = 0;
    for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, start)) {
      keep(bytes.subarray(start, end));
      yield length <= limitBytes ? Buffer.concat(pieces).toString() : undefined;
      pieces = [];
      length = 0;
      start = end + 1;
    }
    keep(bytes.subarray(start));
  }
}
