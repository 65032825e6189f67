import { once } from 'node:events';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Git } from '../git.ts';
import { pauses } from '../walk/inspect.ts';
import { type BytePath, toSystemPath } from '../workspace-path.ts';

/** Files whose content is stored. */
export interface ImportRequest {
  readonly gitDir: string;
  readonly folder: string;
  readonly names: Iterable<BytePath>;
  /** Larger files are left out. */
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores the content of many files as one pack: several times faster than one file for each object. What cannot be read is left out; adding it
 * to the index finds out why.
 */
export async function importFiles(git: Git, request: ImportRequest): Promise<void> {
  const { gitDir, signal } = request;
  const args = ['fast-import', '--quiet', '--depth=0', '--done'];
  await git.run(args, { gitDir, cwd: gitDir, signal, input: (stdin) => writeFiles(stdin, request) });
}

/** How much is written at once. */
const pieceBytes = 1024 * 1024;

async function writeFiles(
  stdin: Writable,
  { folder, names, maxFileBytes, signal }: ImportRequest,
): Promise<void> {
  const pause = pauses(signal);
  let pieces: Buffer[] = [];
  let size = 0;
  for (const name of names) {
    const content = readContent(toSystemPath(folder, name), maxFileBytes);
    if (content !== undefined) {
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

/** Follows no link, and waits for no FIFO that took the place of a file. */
function readContent(file: string | Buffer, maxFileBytes: number): Buffer | undefined {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(handle);
      return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(handle) : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
