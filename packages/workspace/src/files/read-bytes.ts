import { Buffer } from 'node:buffer';
import { checkNotAborted } from '../error.ts';
import { openToRead } from './confinement/open-to-read.ts';
import type { FileRequest } from './confinement/request.ts';
import { defaultReadBytes } from './read-text.ts';

/** Maximum size of a file to read. */
export interface ReadBytesOptions {
  /** A larger file is rejected with `too-large`. @default 10 MiB */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** The bytes of a file. */
export interface ReadBytesResult {
  /** The real path of the file. */
  readonly path: string;
  readonly bytes: number;
  readonly base64: string;
}

/** Reads a whole regular file inside the roots. */
export async function readBase64(options: ReadBytesOptions, request: FileRequest): Promise<ReadBytesResult> {
  const { maxBytes = defaultReadBytes, signal } = options;
  await using file = await openToRead(request);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    checkNotAborted(signal, 'read');
    const chunk = Buffer.allocUnsafe(chunkBytes);
    // What is read counts, not the size the file had: it may grow meanwhile.
    const { bytesRead } = await file.handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    bytes += bytesRead;
    if (bytes > maxBytes) throw request.refuse('too-large', `more than ${String(maxBytes)} bytes`);
    chunks.push(chunk.subarray(0, bytesRead));
  }
  return {
    path: file.path,
    bytes,
    base64: Buffer.concat(chunks, bytes).toString('base64'),
  };
}

/** Bytes of one read. */
const chunkBytes = 256 * 1024;
