import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { type Anchor, openAnchor } from './confinement/anchor.ts';
import { locateExisting } from './confinement/locate.ts';
import type { FileRequest } from './confinement/request.ts';

/** An entry of a directory. */
export interface DirectoryEntry {
  readonly name: string;
  /** The kind of the entry itself; a link is not followed. */
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** The size of a file. */
  readonly bytes?: number;
}

/** The first entries of a directory, sorted by name. */
export interface ListResult {
  /** The real path of the directory. */
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  readonly hasMore: boolean;
}

/** Default limit of listed names. */
export const defaultListEntries: number = 1000;
/** Names of one listing. */
const mostListEntries = 10_000;

/** Lists a directory inside the roots, in memory bounded by the limit. */
export async function listDirectory(limit: number, request: FileRequest): Promise<ListResult> {
  await using directory = await openAnchor(await locateExisting(request), request);
  const { first, hasMore } = await firstNames(directory, Math.min(Math.max(0, limit), mostListEntries));
  const entries = await Promise.all(first.map((entry) => describe(directory, entry)));
  return { path: directory.path, entries, hasMore };
}

async function firstNames(
  directory: Anchor,
  limit: number,
): Promise<{ first: readonly Dirent[]; hasMore: boolean }> {
  let first: Dirent[] = [];
  let hasMore = false;
  const cut = (): void => {
    hasMore ||= first.length > limit;
    first = first.toSorted(byName).slice(0, limit);
  };
  for await (const entry of await opendir(directory.at('.'))) {
    first.push(entry);
    if (first.length > 2 * limit + 100) cut();
  }
  cut();
  return { first, hasMore };
}

function byName(left: Dirent, right: Dirent): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}

async function describe(directory: Anchor, entry: Dirent): Promise<DirectoryEntry> {
  const { name } = entry;
  if (entry.isSymbolicLink()) return { name, kind: 'link' };
  if (entry.isDirectory()) return { name, kind: 'directory' };
  if (!entry.isFile()) return { name, kind: 'other' };
  try {
    return { name, kind: 'file', bytes: (await lstat(directory.at(name))).size };
  } catch {
    // Removed since it was listed, or not ours to look at: the name was there.
    return { name, kind: 'file' };
  }
}
