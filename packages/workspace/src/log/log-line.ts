import { crc32 } from 'node:zlib';

/** What reading a line gives: the record, or nothing when the line is not as it was written. */
export type ReadLine = { readonly isWhole: true; readonly record: unknown } | { readonly isWhole: false };

/** One line of a log, its newline included: `{"crc":"1a2b3c4d","record":…}`, the checksum being that of the record's bytes. */
export function toLine(record: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(record));
  const head = Buffer.from(`${crcPrefix}${checksum(text)}${recordPrefix}`);
  return Buffer.concat([head, text, lineEnd]);
}

/** Reads a line without its newline. Any changed byte makes it one that is not whole. */
export function readLine(line: Buffer): ReadLine {
  const end = line.length - 1;
  if (end <= headLength || line[end] !== closingBrace) return damaged;
  const record = line.subarray(headLength, end);
  const head = `${crcPrefix}${checksum(record)}${recordPrefix}`;
  if (line.toString('latin1', 0, headLength) !== head) return damaged;
  try {
    return { isWhole: true, record: JSON.parse(record.toString()) };
  } catch {
    // The checksum is right and the text is not: nothing this program has written.
    return damaged;
  }
}

const crcPrefix = '{"crc":"';
const recordPrefix = '","record":';
const headLength = crcPrefix.length + 8 + recordPrefix.length;
const closingBrace = 0x7d;
const lineEnd = Buffer.from('}\n');
const damaged: ReadLine = { isWhole: false };

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
