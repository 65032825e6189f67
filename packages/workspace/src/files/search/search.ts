import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { openAnchor } from '../confinement/anchor.ts';
import { locateExisting } from '../confinement/locate.ts';
import { openParent, openRegular } from '../confinement/regular-file.ts';
import type { FileRequest } from '../confinement/request.ts';
import { parseFilePattern } from './file-pattern.ts';
import type { RipgrepMatch } from './ripgrep-event.ts';
import { type RipgrepTarget, runRipgrep } from './ripgrep.ts';

/** The scope and limits of a search. */
export interface SearchOptions {
  /** A directory or a file. @default the session's working directory */
  readonly path?: string;
  /** Whether the pattern is plain text rather than a regular expression. @default false */
  readonly literal?: boolean;
  /** Only files whose path below the searched directory matches this name pattern, such as `*.ts`. @default all */
  readonly include?: string;
  /** Maximum number of matching lines. @default 200 */
  readonly limit?: number;
  /** Longer lines are truncated around their first match, with `…`. @default 500 */
  readonly maxLineLength?: number;
  readonly signal?: AbortSignal;
}

/** A matching line. */
export interface SearchMatch {
  /** The real path of the file. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** The first matching lines, sorted by path and line. */
export interface SearchResult {
  readonly matches: readonly SearchMatch[];
  /** Whether there are more matches, or a match in a line that is too long (4 MiB). */
  readonly hasMore: boolean;
}

/** Default limit of returned lines. */
const defaultSearchMatches = 200;
/** Matching lines of one result. */
const mostSearchMatches = 10_000;
/** Characters of a matching line, unless an option sets another limit. */
const defaultSearchLineLength = 500;
/** Characters of a matching line, even if an option requests more. */
const mostSearchLineLength = 10_000;

/** Searches text files inside the roots; what git ignores and `.git` itself are left out. */
export async function search(
  pattern: string,
  options: SearchOptions,
  request: FileRequest,
): Promise<SearchResult> {
  const {
    literal = false,
    include,
    limit = defaultSearchMatches,
    maxLineLength = defaultSearchLineLength,
  } = options;
  const mostMatches = Math.min(Math.max(0, limit), mostSearchMatches);
  const lineLength = Math.min(Math.max(0, maxLineLength), mostSearchLineLength);
  const matches: SearchMatch[] = [];
  let hasMore = false;
  const isWanted = include === undefined ? undefined : parseFilePattern(include);
  await using target = await openTarget(request);
  // A file that is named is searched, even if its name is excluded.
  const isIncluded = target.input === 'ignore' ? isWanted : undefined;
  const query = { pattern, literal, target, signal: options.signal };
  await runRipgrep(query, (finding) => {
    if (typeof finding === 'object' && isIncluded?.(toSlashes(finding.path)) === false) return 'more';
    if (finding === 'binary') {
      // Among others a binary file is passed over; one that is asked for has to be refused.
      if (target.input !== 'ignore') throw request.refuse('binary', 'not a text');
      return 'more';
    }
    hasMore ||= finding === 'overlong' || matches.length >= mostMatches;
    if (matches.length >= mostMatches) return 'enough';
    if (finding === 'overlong') return 'more';
    const { path: name, line } = finding;
    matches.push({ path: target.pathOf(name), line, text: cutAround(finding, lineLength) });
    return 'more';
  });
  return { matches, hasMore };
}

/** As patterns of names have it: from the searched directory on, divided by slashes. */
function toSlashes(name: string): string {
  return path.normalize(name).split(path.sep).join('/');
}

interface SearchTarget extends RipgrepTarget, AsyncDisposable {
  /** The real path of a name in ripgrep's output. */
  pathOf(name: string): string;
}

async function openTarget(request: FileRequest): Promise<SearchTarget> {
  const real = await locateExisting(request);
  if ((await lstat(real)).isDirectory()) {
    const directory = await openAnchor(real, request);
    return {
      cwd: directory.at('.'),
      input: 'ignore',
      pathOf: (name) => path.join(directory.path, name),
      [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
    };
  }
  await using parent = await openParent(real, request);
  const found = path.join(parent.path, path.basename(real));
  const file = await openRegular(parent, path.basename(real), 'read', request);
  return {
    cwd: request.roots.cwd,
    input: { fd: file.fd },
    pathOf: () => found,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** The part of a line that shows its first match, with a quarter of the room before it. */
function cutAround({ text, column }: RipgrepMatch, length: number): string {
  if (text.length <= length) return text;
  const before = Math.max(0, column - Math.floor(length / 4));
  const start = outsidePair(text, Math.min(before, text.length - length));
  const end = outsidePair(text, start + length);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** An index that does not lie between the two halves of a character. */
function outsidePair(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}
