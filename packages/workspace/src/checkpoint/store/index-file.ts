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
  const head = Buffer.alloc(12);
  head.write('DIRC', 0, 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(entries.length, 8);
  const parts: Buffer[] = [head];
  const pause = pauses();
  // One character is one byte: they sort as git's bytes do.
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    parts.push(toBytes(entry, prefix));
    await pause();
  }
  const bytes = Buffer.concat(parts);
  try {
    await writeFile(file, [bytes, createHash('sha1').update(bytes).digest()], { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw toWorkspaceError(error, 'write', file);
  }
}

/** Bytes of an entry before its name. */
const fixedBytes = 62;

/** Largest name length that the entry's flags hold. */
const mostNameLength = 0xfff;

function toBytes({ name, id, stats }: IndexEntry, prefix: string): Buffer {
  const path = Buffer.from(prefix + name, 'latin1');
  // One to eight zero bytes end the name, up to a multiple of eight.
  const bytes = Buffer.alloc((fixedBytes + path.length + 8) & ~7);
  const { ctimeNs, mtimeNs, dev, ino, mode, uid, gid, size } = stats;
  const numbers = [
    ctimeNs / nsPerSecond,
    ctimeNs % nsPerSecond,
    mtimeNs / nsPerSecond,
    mtimeNs % nsPerSecond,
    dev,
    ino,
    BigInt(mode),
    uid,
    gid,
    size,
  ];
  for (const [at, number] of numbers.entries()) {
    bytes.writeUInt32BE(Number(BigInt.asUintN(32, number)), at * 4);
  }
  bytes.write(id, 40, 'hex');
  bytes.writeUInt16BE(Math.min(path.length, mostNameLength), 60);
  path.copy(bytes, fixedBytes);
  return bytes;
}

/** Nanoseconds of a second. */
export const nsPerSecond = 1_000_000_000n;
