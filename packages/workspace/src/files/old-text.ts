import type { FileHandle } from 'node:fs/promises';
import type { Encoding } from './encoding.ts';
import { defaultReadBytes } from './read-text.ts';
import { readWindow } from './text-window.ts';

/** The content of a file before a change, for a diff. */
export interface OldText {
  /** Null if the file did not exist, or if `oldTextOmitted` says why the text is missing. */
  readonly oldText: string | null;
  /** The file existed, but its text cannot be displayed: it is binary or larger than 10 MiB. */
  readonly oldTextOmitted?: 'binary' | 'too-large';
}

/** Reads the text of an open file, as far as it is a text of a size that one shows. */
export async function readOldText(
  file: FileHandle,
): Promise<{ readonly old: OldText; readonly encoding: Encoding }> {
  const whole = { line: 1, limit: Infinity, maxBytes: defaultReadBytes, signal: undefined };
  const window = await readWindow(file, whole);
  switch (window.kind) {
    case 'text':
      return { old: { oldText: window.text }, encoding: window.encoding };
    case 'too-large':
      return { old: { oldText: null, oldTextOmitted: 'too-large' }, encoding: window.encoding };
    case 'binary':
      return { old: { oldText: null, oldTextOmitted: 'binary' }, encoding: 'utf-8' };
  }
}
