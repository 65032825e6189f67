import { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { checkNotAborted, refusal, toWorkspaceError } from '../error.ts';

/** Limits for reading a file. */
export interface ReadNamedFileOptions {
  /** A larger file is rejected with `too-large`. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads a whole file that a user or a project names, at any location: a configuration, a list, a `.env`. Only regular
 * files up to the limit are read; FIFOs and devices are rejected, because they may block or never end.
 */
export async function readNamedFile(
  file: string,
  { maxBytes, signal }: ReadNamedFileOptions,
): Promise<Buffer> {
  try {
    // Without it, opening a FIFO waits for a writer.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (stats.isDirectory()) throw refusal('read', file, 'is-a-directory', 'is a directory');
    if (!stats.isFile()) throw refusal('read', file, 'not-a-file', 'not a regular file');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      checkNotAborted(signal, 'read');
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, maxBytes + 1 - bytes));
      // What is read counts: the size may be wrong, as in /proc, or grow meanwhile.
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return Buffer.concat(chunks, bytes);
      bytes += bytesRead;
      if (bytes > maxBytes) {
        throw refusal('read', file, 'too-large', `has more than ${String(maxBytes)} bytes`);
      }
      chunks.push(chunk.subarray(0, bytesRead));
    }
  } catch (error) {
    throw toWorkspaceError(error, 'read', file);
  }
}

/** Bytes of one read. */
const chunkBytes = 64 * 1024;
