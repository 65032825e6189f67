import { createHash } from 'node:crypto';
import type { RequestedContent } from './requested-action.ts';

/** A change of one file as a tool call shows it. */
export interface ShownDiff {
  readonly newText: string;
  readonly oldText?: string;
}

/** SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Computes the new content of a file from all its diffs. Agents send complete texts or only the changed part; a part
 * is inserted into the current text if its position is unambiguous.
 *
 * @param present The current text; undefined if the file cannot be read.
 * @param isEach Whether every occurrence of the old text is replaced.
 */
export function requestedContents(
  diffs: readonly ShownDiff[],
  present: string | undefined,
  isEach: boolean,
): readonly RequestedContent[] {
  let whole = present;
  const unclear: ShownDiff[] = [];
  const shown = diffs.map((diff): Omit<RequestedContent, 'hash'> => {
    const { newText, oldText = '' } = diff;
    if (oldText === '' || oldText === whole) {
      const before = whole;
      whole = newText;
      return { newText, ...(before !== undefined && { oldText: before }) };
    }
    const replaced = whole === undefined ? undefined : replacePart(whole, oldText, newText, isEach);
    if (replaced === undefined) unclear.push(diff);
    else whole = replaced;
    return { newText, oldText, isPart: true };
  });
  // Where it is not clear what the file becomes, the grant is for the text that was shown, and for no other.
  const isClear = unclear.length === 0 && whole !== undefined;
  const result = isClear ? whole : diffs.at(-1)?.newText;
  const hash = hashOf(result ?? '');
  return shown.map((content) => ({ ...content, hash }));
}

/** Replaces a part of the text; undefined if it does not occur, or occurs several times although one is meant. */
function replacePart(whole: string, oldText: string, newText: string, isEach: boolean): string | undefined {
  const first = whole.indexOf(oldText);
  if (first === -1) return undefined;
  if (isEach) return whole.split(oldText).join(newText);
  if (whole.includes(oldText, first + 1)) return undefined;
  return whole.slice(0, first) + newText + whole.slice(first + oldText.length);
}
