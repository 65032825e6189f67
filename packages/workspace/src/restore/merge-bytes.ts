import { Buffer } from 'node:buffer';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runGit } from '../git/run-git.ts';

/** The inputs of a three-way merge. */
export interface MergeSides {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
  /** Whether to resolve conflicts with their side. @default false */
  readonly preferTheirs?: boolean;
}

/** Merges two changed contents line by line, preserving all bytes; `binary` or `conflict` if that is not possible. */
export async function mergeBytes({
  base,
  ours,
  theirs,
  preferTheirs = false,
}: MergeSides): Promise<Uint8Array | 'conflict' | 'binary'> {
  if (isSame(ours, base) || isSame(ours, theirs)) return theirs;
  if (isSame(theirs, base)) return ours;
  if ([base, ours, theirs].some((side) => side.includes(0))) return 'binary';
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-merge-'));
  try {
    await Promise.all(
      Object.entries({ base, ours, theirs }).map(([name, side]) => writeFile(path.join(folder, name), side)),
    );
    const args = ['merge-file', '-p', '-q', ...(preferTheirs ? ['--theirs'] : []), 'ours', 'base', 'theirs'];
    const { status, stdout } = await runGit(args, { cwd: folder, isIsolated: true, statuses });
    return status === 0 ? stdout : 'conflict';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The number of conflicts, at most 127. */
const statuses = Array.from({ length: 128 }, (_, status) => status);

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
