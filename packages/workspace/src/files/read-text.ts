import { checkNotAborted } from '../error.ts';
import { readNow } from './confinement/local-file.ts';
import { absolutePath } from './confinement/locate.ts';
import { openToRead } from './confinement/open-to-read.ts';
import type { FileRequest } from './confinement/request.ts';
import { isInside } from './confinement/roots.ts';
import { readWindow, type TextWindow, windowOf } from './text-window.ts';

/** The part of a file to read, and its maximum size. */
export interface ReadOptions {
  /** The first line, counted from 1. @default 1 */
  readonly line?: number;
  /** The number of lines. @default all */
  readonly limit?: number;
  /** Maximum size of the text in bytes of UTF-8; more is rejected with `too-large`. @default 10 MiB */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** The text of a file, or the requested part of it. */
export interface ReadResult {
  /** The real path of the file. */
  readonly path: string;
  /** The lines exactly as in the file, with line ends: consecutive parts add up to the whole file. */
  readonly text: string;
  /** The number of lines in the whole file. */
  readonly lines: number;
}

/**
 * Bytes that are read unless an option sets another limit, and size up to which the old text of a changed file is
 * stored: 10 MiB.
 */
export const defaultReadBytes: number = 10 * 1024 * 1024;

/** Reads text of a regular file inside the roots. */
export async function readText(options: ReadOptions, request: FileRequest): Promise<ReadResult> {
  const { line = 1, limit = Infinity, maxBytes = defaultReadBytes, signal } = options;
  const selection = { line, limit, maxBytes, signal };
  checkNotAborted(signal, 'read');
  const small = readSmall(request);
  if (small !== undefined) {
    return toResult(small.path, windowOf(small.bytes, selection), maxBytes, request);
  }
  await using file = await openToRead(request);
  const window = await readWindow(file.handle, { ...selection, size: file.size });
  return toResult(file.path, window, maxBytes, request);
}

/** A small file that can be read without waiting. */
function readSmall(request: FileRequest): { readonly path: string; readonly bytes: Buffer } | undefined {
  const { roots } = request;
  const full = absolutePath(request);
  if (roots.reach !== 'descriptor' || !isInside(roots, full)) return undefined;
  const bytes = readNow(full);
  if (bytes === 'missing') throw request.refuse('not-found', 'no such file or directory');
  return bytes && { path: full, bytes };
}

function toResult(path: string, window: TextWindow, maxBytes: number, request: FileRequest): ReadResult {
  switch (window.kind) {
    case 'text':
      return { path, text: window.text, lines: window.lines };
    case 'binary':
      throw request.refuse('binary', 'not a text in UTF-8 or UTF-16');
    case 'too-large':
      throw request.refuse('too-large', `more than ${maxBytes} bytes of text`);
  }
}
