import type { Workplace } from '../tool.ts';
import { belowDirectory } from './below-directory.ts';

/** How a path is described to a model. */
export const pathSchema: { readonly type: 'string'; readonly description: string } = {
  type: 'string',
  description: 'Relative to the working directory, or absolute',
};

/** A path that a model gave. */
export interface PathArgument {
  /** Absolute. */
  readonly path: string;
  /** For the user to read: relative to the working directory. */
  readonly shown: string;
}

/** Reads a path; a `file:` address, as links in prompts have it, counts as its path. */
export function toPathArgument(
  given: string,
  { cwd, environment }: Pick<Workplace, 'cwd' | 'environment'>,
): PathArgument {
  const path = environment.toAbsolutePath(cwd, fromFileUrl(given) ?? given);
  return { path, shown: path === cwd ? '.' : belowDirectory(cwd, path) };
}

function fromFileUrl(given: string): string | undefined {
  if (!given.startsWith('file:///')) return undefined;
  try {
    // The path of `file:///C:/notes.txt` begins at its drive.
    return decodeURIComponent(new URL(given).pathname).replace(/^\/(?=[A-Za-z]:)/u, '');
  } catch {
    // Not an address after all: there will be no such file.
    return undefined;
  }
}
