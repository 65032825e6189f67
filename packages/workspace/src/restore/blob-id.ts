import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** git's id of a content: what a checkpoint calls it. */
export function blobId(content: Uint8Array): string {
  return createHash('sha1')
    .update(`blob ${String(content.length)}\0`)
    .update(content)
    .digest('hex');
}

/** git's id of the content of an open file; undefined where it does not have this size while it is read. */
export async function blobIdOfFile(
  file: FileHandle,
  size: bigint,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha1').update(`blob ${String(size)}\0`);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let length = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunk.length, length);
    if (bytesRead === 0) return BigInt(length) === size ? hash.digest('hex') : undefined;
    length += bytesRead;
    hash.update(chunk.subarray(0, bytesRead));
  }
}

const chunkBytes = 256 * 1024;
