import { crc32 } from 'node:zlib';

/** What reading a line gives: the record, or nothing when the line is not as it was written. */
export type ReadLine = { readonly isWhole: true; readonly record: unknown } | { readonly isWhole: false };

/** One line of a log, its newline included: `{"crc":"1a2b3c4d","record":…}`, the checksum being that of the record's bytes. */
export function toLine(record: unknown): Buffer {
  const line = Buffer.from(`${emptyHead}${JSON.stringify(record).concat('}\n')}`);
  const sum = checksum(line.subarray(headLength, line.length - lineEndLength));
  line.write(sum, crcPrefix.length, 'latin1');
  return line;
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
const lineEndLength = '}\n'.length;
const emptyHead = `${crcPrefix}00000000${recordPrefix}`;
const damaged: ReadLine = { isWhole: false };

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
