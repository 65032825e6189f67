import path from 'node:path';
import { openAnchor } from '../confinement/anchor.ts';
import { locateExisting } from '../confinement/locate.ts';
import type { FileRequest } from '../confinement/request.ts';
import { parseFilePattern } from './file-pattern.ts';
import { readRipgrep } from './ripgrep.ts';

/** The scope and limit of a search by name. */
export interface GlobOptions {
  /** A directory. @default the session's working directory */
  readonly path?: string;
  /** Maximum number of files. @default 1000 */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** The real paths of the first matching files, sorted by path. */
export interface GlobResult {
  readonly paths: readonly string[];
  readonly hasMore: boolean;
}

/** Default limit of returned files. */
const defaultGlobFiles = 1000;
/** Files of one result. */
const mostGlobFiles = 10_000;
/** Length of a path; longer ones are omitted. */
const mostPathBytes = 64 * 1024;

/** Finds files by their names below a directory; links, what git ignores, and `.git` itself are left out. */
export async function glob(pattern: string, options: GlobOptions, request: FileRequest): Promise<GlobResult> {
  const { limit = defaultGlobFiles, signal } = options;
  const most = Math.min(Math.max(0, limit), mostGlobFiles);
  const isWanted = parseFilePattern(pattern);
  await using directory = await openAnchor(await locateExisting(request), request);
  const listing = readRipgrep({
    action: 'find files',
    args: ['--files', '--null', '--', './'],
    target: { cwd: directory.at('.'), input: 'ignore' },
    signal,
    separator: 0,
    mostBytes: mostPathBytes,
    // 1 says that there is no file at all, 2 that some folder could not be looked into.
    isComplete: ({ exitCode }) => exitCode !== null && exitCode <= 2,
  });
  const paths: string[] = [];
  for await (const name of listing) {
    if (name === undefined) continue;
    const relative = path.normalize(name);
    if (!isWanted(relative.split(path.sep).join('/'))) continue;
    if (paths.length === most) return { paths, hasMore: true };
    paths.push(path.join(directory.path, relative));
  }
  return { paths, hasMore: false };
}
