import { crc32 } from 'node:zlib';

/** The result of reading a line: the record, or nothing if the line was changed. */
export type ReadLine = { readonly isWhole: true; readonly record: unknown } | { readonly isWhole: false };

/**
 * One line of a log, its newline included: `{"crc":"1a2b3c4d","record":…}`, the checksum being that of the record's bytes.
 *
 * @param json The record, as JSON in one line.
 */
export function toLine(json: string): Buffer {
  const line = Buffer.from(toUnsummed(json));
  sumLine(line, 0, line.length);
  return line;
}

/** A line without its checksum. */
export function toUnsummed(json: string): string {
  return `${emptyHead}${json}${lineEnd}`;
}

/** The same for a record that continues in the next line. */
export function toOpenLine(record: string): string {
  return `${emptyHead}${record}`;
}

/** The end of such a line, after the end of its record. */
export function toLineEnd(tail: string): string {
  return `${tail}${lineEnd}`;
}

/** Inserts the checksum of a line in a buffer. */
export function sumLine(buffer: Buffer, start: number, end: number): void {
  let sum = crc32(buffer.subarray(start + headLength, end - lineEnd.length));
  for (let at = start + crcEnd - 1; at >= start + crcPrefix.length; at -= 1) {
    buffer[at] = hexDigits.charCodeAt(sum & 0xf);
    sum >>>= 4;
  }
}

/**
 * Reads a line without its newline. Any changed byte invalidates it. The checksum is of the decoded text: changed
 * bytes decode to different text, or to U+FFFD where the same was written.
 */
export function readLine(line: string): ReadLine {
  const end = line.length - 1;
  if (end <= headLength || line.charCodeAt(end) !== closingBrace) return damaged;
  if (!line.startsWith(crcPrefix) || !line.startsWith(recordPrefix, crcEnd)) return damaged;
  const record = line.slice(headLength, end);
  const sum = line.slice(crcPrefix.length, crcEnd);
  if (!checksum.test(sum) || Number.parseInt(sum, 16) !== crc32(record)) return damaged;
  try {
    return { isWhole: true, record: JSON.parse(record) };
  } catch {
    // The checksum is right and the text is not: nothing this program has written.
    return damaged;
  }
}

/** The text of a line's record, as it is if the line is whole. */
export function recordText(line: string): string {
  return line.slice(headLength, -1);
}

const crcPrefix = '{"crc":"';
const recordPrefix = '","record":';
const crcEnd = crcPrefix.length + 8;
const headLength = crcEnd + recordPrefix.length;
const checksum = /^[\da-f]{8}$/;
const closingBrace = 0x7d;
const lineEnd = '}\n';
const hexDigits = '0123456789abcdef';
const emptyHead = `${crcPrefix}00000000${recordPrefix}`;
const damaged: ReadLine = { isWhole: false };
