import { crc32 } from 'node:zlib';

/** What reading a line gives: the record, or nothing when the line is not as it was written. */
export type ReadLine = { readonly isWhole: true; readonly record: unknown } | { readonly isWhole: false };

/** One line of a log, its newline included: `{"crc":"1a2b3c4d","record":…}`, the checksum being that of the record's bytes. */
export function toLine(record: unknown): Buffer {
  const line = Buffer.from(`${emptyHead}${JSON.stringify(record).concat('}\n')}`);
  const sum = crc32(line.subarray(headLength, line.length - lineEndLength));
  line.write(sum.toString(16).padStart(8, '0'), crcPrefix.length, 'latin1');
  return line;
}

/**
 * Reads a line without its newline. Any changed byte makes it one that is not whole. The checksum is taken of the decoded
 * text: bytes that are not as they were written decode to another one, or to U+FFFD where just that was written.
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
const lineEndLength = '}\n'.length;
const emptyHead = `${crcPrefix}00000000${recordPrefix}`;
const damaged: ReadLine = { isWhole: false };
