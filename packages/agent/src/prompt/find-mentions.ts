import type { FileLink } from './file-link.ts';
import { parseLineRange } from './line-range.ts';

/** A mention in a text, in the ways it can be meant, the plainest first. */
export type Mention = readonly FileLink[];

/**
 * Finds `@src/a.ts`, `@"with space.md"`, `@src/` and `@src/a.ts#L10-20` or `:10-20` at the start of words. Callers
 * check whether the files exist, or the text is an e-mail address, a decorator or a package.
 */
export function findMentions(text: string): readonly Mention[] {
  return Array.from(text.matchAll(mention), ([, quoted, suffix = '', bare = '']) =>
    quoted === undefined ? meaningsOf(bare) : [withLines(quoted, suffix)],
  ).filter((meanings) => meanings.length > 0);
}

const mention = /(?<![^\s([{<"'])@(?:"([^"\n]{1,1024})"([#:][\w:-]+)?|([^\s"@][^\s"]{0,1023}))/gu;

/** The possible meanings of a word, with and without trailing punctuation. */
function meaningsOf(word: string): readonly FileLink[] {
  const plain = word.replace(/[.,;:!?'")\]}>…]+$/u, '');
  const words = plain === word ? [word] : [word, plain];
  return words.filter(isLikePath).flatMap((path) => {
    const [, file = '', suffix = ''] = /^(.+?)([#:](?:L?\d+)(?:[-:]L?\d+)?)$/iu.exec(path) ?? [];
    return file === '' ? [{ path }] : [{ path }, withLines(file, suffix)];
  });
}

function isLikePath(word: string): boolean {
  return /[\p{L}\p{N}/]/u.test(word);
}

function withLines(path: string, suffix: string): FileLink {
  const lines = parseLineRange(suffix.slice(1));
  return lines === undefined ? { path } : { path, lines };
}
