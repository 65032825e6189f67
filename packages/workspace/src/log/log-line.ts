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
 * Reads a line without its newline. Any changed byte makes it one that is not whole, unless the line still means what
 * was written: the checksum is taken of the decoded text, as reading it from the bytes would cost a copy of them.
 */
export function readLine(line: string): ReadLine {
  const end = line.length - 1;
  if (end <= headLength || line.charCodeAt(end) !== closingBrace) return damaged;
  if (!line.startsWith(crcPrefix) || !line.startsWith(recordPrefix, crcEnd)) return damaged;
  const record = line.slice(headLength, end);
  if (Number.parseInt(line.slice(crcPrefix.length, crcEnd), 16) !== crc32(record)) return damaged;
  try {
    return { isWhole: true, record: JSON.parse(record) };
  } catch {
    // The checksum is right and the text is not: nothing this program has written.
    return damaged;
  }
}

const crcPrefix = '{"crc":"';
const recordPrefix = '","record":';
const crcEnd = crcPrefix.length + 8;
const headLength = crcEnd + recordPrefix.length;
const closingBrace = 0x7d;
const lineEndLength = '}\n'.length;
const emptyHead = `${crcPrefix}00000000${recordPrefix}`;
const damaged: ReadLine = { isWhole: false };
