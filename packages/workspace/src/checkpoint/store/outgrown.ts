import { type BigIntStats, constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { blobIdOfFile } from '../../restore/blob-id.ts';
import type { OmissionReason } from '../checkpoint.ts';
import { type BytePath, toSystemPath } from '../workspace-path.ts';

/** A file of an earlier checkpoint that has grown over the limit for one file. Its content is not stored. */
export interface Outgrown {
  /** git's id of the content; {@link unknownId} where it was not read. */
  readonly blob: string;
  readonly permissions: number;
  /** Changes with the file. */
  readonly stamp: string;
}

/** The largest file that a checkpoint includes because a restore replaces it, or whose id is found out: 256 MiB. */
export const mostIncludedBytes: number = 256 * 1024 * 1024;

/** The id that git prints for an unknown object. */
const unknownId = '0'.repeat(40);

/** Where such files are. */
export interface OutgrownRequest {
  readonly workspace: string;
  /** Files of earlier checkpoints that are still there, and not covered any more. */
  readonly uncovered: readonly BytePath[];
  readonly omitted: ReadonlyMap<BytePath, OmissionReason>;
  /** The entries of the earlier checkpoint for these files. */
  readonly earlier: ReadonlyMap<BytePath, Outgrown> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads each file that has grown over the size limit once, so that an undo can detect later changes. */
export async function findOutgrown(request: OutgrownRequest): Promise<ReadonlyMap<BytePath, Outgrown>> {
  const { workspace, uncovered, omitted, earlier, signal } = request;
  const found = new Map<BytePath, Outgrown>();
  for (const name of uncovered) {
    if (omitted.get(name) !== 'too-large') continue;
    const one = await look(toSystemPath(workspace, name), earlier?.get(name), signal).catch(
      (error: unknown) => {
        signal?.throwIfAborted();
        // It has just gone: the next take finds that.
        if (error instanceof Error && 'code' in error) return undefined;
        throw error;
      },
    );
    if (one !== undefined) found.set(name, one);
  }
  return found;
}

async function look(
  file: string | Buffer,
  earlier: Outgrown | undefined,
  signal: AbortSignal | undefined,
): Promise<Outgrown> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const before = await handle.stat({ bigint: true });
  const stamp = stampOf(before);
  if (stamp === earlier?.stamp) return earlier;
  const permissions = Number(before.mode & 0o7777n);
  if (before.size > BigInt(mostIncludedBytes)) return { blob: unknownId, permissions, stamp };
  const blob = await blobIdOfFile(handle, before.size, signal);
  // A file that is written to meanwhile has changed by the time of an undo in any case.
  const isSame = stampOf(await handle.stat({ bigint: true })) === stamp;
  return { blob: isSame && blob !== undefined ? blob : unknownId, permissions, stamp };
}

function stampOf({ mode, size, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return [mode, size, ino, mtimeNs, ctimeNs].join(':');
}
