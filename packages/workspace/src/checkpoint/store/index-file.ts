import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { toWorkspaceError } from '../../error.ts';
import { pauses } from '../walk/pauses.ts';
import type { BytePath } from '../workspace-path.ts';

/** An entry of a git index. Its content is stored. */
export interface IndexEntry {
  readonly name: BytePath;
  readonly id: string;
  readonly stats: IndexStats;
}

/** Stat data by which git detects changes. */
export interface IndexStats {
  /** As in the index: 0o100644, 0o100755 or 0o120000. */
  readonly mode: number;
  readonly size: bigint;
  readonly ino: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly dev: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/**
 * Writes a git index, format version 2. `git update-index` would read each file a second time, and its `--index-info` stores no stat data.
 *
 * @param prefix The folder that the names are relative to, '' or with a slash at its end.
 */
export async function writeIndexFile(
  file: string,
  entries: readonly IndexEntry[],
  prefix: string,
): Promise<void> {
  // One character is one byte: they sort as git's bytes do.
  const sorted = entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const end = sorted.reduce((at, { name }) => at + entryBytes(prefix.length + name.length), headBytes);
  const bytes = Buffer.alloc(end + sumBytes);
  bytes.write('DIRC', 0, 'latin1');
  bytes.writeUInt32BE(2, 4);
  bytes.writeUInt32BE(entries.length, 8);
  const pause = pauses();
  let at = headBytes;
  for (const entry of sorted) {
    const path = prefix + entry.name;
    writeEntry(bytes.subarray(at), path, entry);
    at += entryBytes(path.length);
    await pause();
  }
  createHash('sha1').update(bytes.subarray(0, end)).digest().copy(bytes, end);
  try {
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw toWorkspaceError(error, 'write', file);
  }
}

/** Bytes before the entries, and of the checksum behind them. */
const headBytes = 12;
const sumBytes = 20;

/** Bytes of an entry before its name. */
const fixedBytes = 62;

/** Largest name length that the entry's flags hold. */
const mostNameLength = 0xfff;

/** One to eight zero bytes end the name, up to a multiple of eight. */
function entryBytes(pathLength: number): number {
  return (fixedBytes + pathLength + 8) & ~7;
}

function writeEntry(bytes: Buffer, path: BytePath, { id, stats }: IndexEntry): void {
  const { ctimeNs, mtimeNs, dev, ino, mode, uid, gid, size } = stats;
  writeTime(bytes, ctimeNs, 0);
  writeTime(bytes, mtimeNs, 8);
  writeNumber(bytes, dev, 16);
  writeNumber(bytes, ino, 20);
  bytes.writeUInt32BE(mode, 24);
  writeNumber(bytes, uid, 28);
  writeNumber(bytes, gid, 32);
  writeNumber(bytes, size, 36);
  bytes.write(id, 40, 'hex');
  bytes.writeUInt16BE(Math.min(path.length, mostNameLength), 60);
  bytes.write(path, fixedBytes, 'latin1');
}

function writeTime(bytes: Buffer, timeNs: bigint, at: number): void {
  writeNumber(bytes, timeNs / nsPerSecond, at);
  bytes.writeUInt32BE(Number(timeNs % nsPerSecond), at + 4);
}

/** Its last 32 bits, as git has them. */
function writeNumber(bytes: Buffer, number: bigint, at: number): void {
  bytes.writeUInt32BE(Number(BigInt.asUintN(32, number)), at);
}

/** Nanoseconds of a second. */
export const nsPerSecond = 1_000_000_000n;
