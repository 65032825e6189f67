import { openToRead } from './confinement/open-to-read.ts';
import type { FileRequest } from './confinement/request.ts';
import { readWindow } from './text-window.ts';

/** Which part of a file to read, and how much of it at most. */
export interface ReadOptions {
  /** The first line, counted from 1. @default 1 */
  readonly line?: number;
  /** How many lines. @default all */
  readonly limit?: number;
  /** The most text that is returned, in bytes of UTF-8; more is refused as `too-large`. @default 10 MiB */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** A file's text, or the part of it that was asked for. */
export interface ReadResult {
  /** The real path of the file. */
  readonly path: string;
  /** The lines exactly as they are in the file, line ends included: windows laid end to end give the whole file. */
  readonly text: string;
  /** How many lines the whole file has. */
  readonly lines: number;
}

/** How much is read unless a limit is given, and up to which size the old text of a changed file is kept: 10 MiB. */
export const defaultReadBytes: number = 10 * 1024 * 1024;

/** Reads text of a regular file inside the roots. */
export async function readText(options: ReadOptions, request: FileRequest): Promise<ReadResult> {
  const { line = 1, limit = Infinity, maxBytes = defaultReadBytes, signal } = options;
  await using file = await openToRead(request);
  const window = await readWindow(file.handle, { line, limit, maxBytes, signal, size: file.size });
  switch (window.kind) {
    case 'text':
      return { path: file.path, text: window.text, lines: window.lines };
    case 'binary':
      throw request.refuse('binary', 'not a text in UTF-8 or UTF-16');
    case 'too-large':
      throw request.refuse('too-large', `more than ${maxBytes} bytes of text`);
  }
}
