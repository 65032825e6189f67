import { homedir } from 'node:os';
import path from 'node:path';
import { GlobFault, parseGlob, startOfGlob } from './glob.ts';

/** The extent of a pattern: exactly the matching paths, or also everything below a matching folder. */
export type PatternExtent = 'exact' | 'with-below';

/** What the paths of rules are relative to, and how they are written there. */
export interface PathPlace {
  readonly cwd: string;
  /** @default the home directory of the process's user */
  readonly home?: string;
  /** @default the one of this process */
  readonly platform?: NodeJS.Platform;
}

/**
 * Whether a rule's path covers a file: it is that file, lies below it, or the glob matches. Undefined when that cannot
 * be said: the glob means nothing, or no file can have such a path.
 */
export function matchesPath(
  pattern: string,
  file: string,
  extent: PatternExtent,
  place: PathPlace,
): boolean | undefined {
  const platform = place.platform ?? process.platform;
  if (file.length > mostPathCharacters) return undefined;
  const { folder, glob } = takeApart(pattern, place, platform);
  const names = namesBelow(fold(file, platform), fold(folder, platform));
  if (names === undefined || glob === '') return names !== undefined;
  try {
    const parsed = parseGlob(fold(glob, platform));
    return extent === 'exact' ? parsed.matches(names) : parsed.matchesAbove(names);
  } catch (error) {
    if (error instanceof GlobFault) return undefined;
    throw error;
  }
}

/** The folder or file that a pattern names before its first name that is no plain one, absolute. */
export function literalPath(pattern: string, place: PathPlace): string {
  return takeApart(pattern, place, place.platform ?? process.platform).folder;
}

/** Escapes a path, so that it matches only itself as a pattern. */
export function escapePath(literal: string): string {
  return literal.replaceAll(/[*?[{]/gu, '[$&]');
}

/** Characters of a path. */
const mostPathCharacters = 32 * 1024;

function takeApart(
  pattern: string,
  { cwd, home = homedir() }: PathPlace,
  platform: NodeJS.Platform,
): { readonly folder: string; readonly glob: string } {
  const { resolve } = platform === 'win32' ? path.win32 : path.posix;
  const text = platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const start = startOfGlob(text);
  const literal = text.slice(0, start);
  const glob = text.slice(start);
  const isAtHome = literal === '~' || literal.startsWith('~/');
  return { folder: isAtHome ? resolve(home, `.${literal.slice(1)}`) : resolve(cwd, literal), glob };
}

/** The names from a folder to a file in it; none for the folder itself, undefined for a file elsewhere. */
function namesBelow(file: string, folder: string): readonly string[] | undefined {
  if (file === folder) return [];
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return file.startsWith(start) ? file.slice(start.length).split('/') : undefined;
}

/** Names that are the same file to this system become the same text. */
function fold(text: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return text.replaceAll('\\', '/').normalize('NFC').toLowerCase();
  return platform === 'darwin' ? text.normalize('NFC').toLowerCase() : text;
}
