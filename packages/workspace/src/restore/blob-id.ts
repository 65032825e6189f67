import { createHash } from 'node:crypto';

/** git's id of a content: what a checkpoint calls it. */
export function blobId(content: Uint8Array): string {
  return createHash('sha1')
    .update(`blob ${String(content.length)}\0`)
    .update(content)
    .digest('hex');
}
