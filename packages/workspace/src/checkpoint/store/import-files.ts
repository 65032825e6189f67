import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Git } from '../git.ts';
import { pauses } from '../walk/pauses.ts';
import { statOf } from '../walk/stat.ts';
import { type BytePath, toSystemPath } from '../workspace-path.ts';
import type { IndexEntry } from './index-file.ts';

/** Files whose content is stored. */
export interface ImportRequest {
  readonly gitDir: string;
  readonly folder: string;
  readonly names: readonly BytePath[];
  /** Larger files are left out. */
  readonly maxFileBytes: number;
  /** The moment of the checkpoint in milliseconds since 1970; undefined until it comes. */
  readonly changedSince?: (() => number | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of an import. */
export interface Imported {
  readonly entries: readonly IndexEntry[];
  /** Links, unreadable files, and files that changed while they were read. Adding them to the index shows which. */
  readonly unread: readonly BytePath[];
  /** Files that changed after the moment and before they were read. */
  readonly late: readonly BytePath[];
}

/** Stores the content of many files as one pack: several times faster than one file for each object. */
export async function importFiles(git: Git, request: ImportRequest): Promise<Imported> {
  const { gitDir, signal } = request;
  const imported = {
    entries: new Array<IndexEntry>(),
    unread: new Array<BytePath>(),
    late: new Array<BytePath>(),
  };
  const args = ['fast-import', '--quiet', '--depth=0', '--done'];
  const input = (stdin: Writable): Promise<void> => writeFiles(stdin, request, imported);
  await git.run(args, { gitDir, cwd: gitDir, signal, input });
  return imported;
}

/** Bytes that are written at once. */
const pieceBytes = 1024 * 1024;

async function writeFiles(
  stdin: Writable,
  { folder, names, maxFileBytes, changedSince, signal }: ImportRequest,
  imported: { entries: IndexEntry[]; unread: BytePath[]; late: BytePath[] },
): Promise<void> {
  const pause = pauses(signal);
  let pieces: Buffer[] = [];
  let size = 0;
  for (const name of names) {
    const found = readContent(toSystemPath(folder, name), maxFileBytes);
    const moment = changedSince?.();
    if (moment !== undefined && isLater(found?.stats ?? statOf(toSystemPath(folder, name)), moment)) {
      imported.late.push(name);
    } else if (found === undefined) imported.unread.push(name);
    else {
      const { content, stats } = found;
      const head = `blob ${String(content.length)}\0`;
      const id = createHash('sha1').update(head).update(content).digest('hex');
      const mode = (stats.mode & 0o100n) === 0n ? 0o100644 : 0o100755;
      const { size: bytes, ino, uid, gid, dev, mtimeNs, ctimeNs } = stats;
      imported.entries.push({ name, id, stats: { mode, size: bytes, ino, uid, gid, dev, mtimeNs, ctimeNs } });
      pieces.push(Buffer.from(`blob\ndata ${String(content.length)}\n`), content, newline);
      size += content.length;
    }
    await pause();
    if (size < pieceBytes && pieces.length < 3000) continue;
    if (!stdin.write(Buffer.concat(pieces))) {
      await once(stdin, 'drain', signal === undefined ? {} : { signal });
    }
    pieces = [];
    size = 0;
  }
  stdin.write(Buffer.concat([...pieces, Buffer.from('done\n')]));
}

const newline = Buffer.from('\n');

/** Whether a file changed after a moment, or was removed since the walk found it. */
function isLater(stats: BigIntStats | undefined, moment: number): boolean {
  return stats === undefined || stats.ctimeNs > BigInt(Math.floor(moment)) * 1_000_000n;
}

interface FileContent {
  readonly content: Buffer;
  readonly stats: BigIntStats;
}

/** Follows no link, and waits for no FIFO that took the place of a file. Undefined if the file changes while it is read. */
function readContent(file: string | Buffer, maxFileBytes: number): FileContent | undefined {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(handle, { bigint: true });
      if (!stats.isFile() || stats.size > BigInt(maxFileBytes)) return undefined;
      const content = readFileSync(handle);
      const isSame = fstatSync(handle, { bigint: true }).ctimeNs === stats.ctimeNs;
      return isSame && BigInt(content.length) === stats.size ? { content, stats } : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
