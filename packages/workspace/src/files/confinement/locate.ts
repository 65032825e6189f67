import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type WorkspaceError, systemCode, toWorkspaceError } from '../../error.ts';
import { findNow } from './local-file.ts';
import { localFolders } from './local-folders.ts';
import type { FileRequest } from './request.ts';
import { isBelow, isInside } from './roots.ts';

/** The resolved location of a path: the existing part, which is inside the roots, and the missing names below it. */
export interface Location {
  readonly real: string;
  readonly missing: readonly string[];
}

/** A name in a directory: the name itself, not what it may link to. */
export interface Entry {
  readonly directory: Location;
  readonly name: string;
}

/** Follows every link of a path, even a dangling one, and rejects paths that lead outside. */
export async function locate(request: FileRequest): Promise<Location> {
  const full = absolutePath(request);
  const now = locateNow(full, request);
  const location = now ?? (await trace(full, request));
  checkInside(location, request);
  if (now === undefined) learn(full, location, request);
  return location;
}

/** The location of a path that can be looked at without waiting. */
function locateNow(full: string, { roots }: FileRequest): Location | undefined {
  if (roots.reach !== 'descriptor') return undefined;
  switch (findNow(full)) {
    case 'real':
      return { real: full, missing: [] };
    case 'missing':
      return { real: path.dirname(full), missing: [path.basename(full)] };
    case undefined:
      return undefined;
  }
}

/** Lets the next look at a path in this folder be synchronous. */
function learn(full: string, { real, missing }: Location, { roots }: FileRequest): void {
  const folder = path.dirname(full);
  if (roots.reach === 'descriptor' && (missing.length === 0 ? real === full : real === folder)) {
    void localFolders.learn(folder);
  }
}

/** The real path of something that must be there. */
export async function locateExisting(request: FileRequest): Promise<string> {
  const { real, missing } = await locate(request);
  if (missing.length > 0) throw request.refuse('not-found', 'no such file or directory');
  return real;
}

/** Locates a name that will be removed or moved; for a link, the link itself, not its target. */
export async function locateEntry(request: FileRequest): Promise<Entry> {
  const full = absolutePath(request);
  const name = path.basename(full);
  const directory = await trace(path.dirname(full), request);
  const entry = path.join(pathOf(directory), name);
  if (name === '' || request.roots.directories.some((root) => isBelow(entry, root))) {
    throw request.refuse('denied', "is, or holds, one of the session's directories");
  }
  checkInside(directory, request);
  return { directory, name };
}

/** The path of a location. */
export function pathOf(location: Location): string {
  return path.join(location.real, ...location.missing);
}

/** The error for a path that leads outside. */
export function outside(request: FileRequest): WorkspaceError {
  return request.refuse('outside', "outside the session's directories");
}

/** Length of a path; few programs can use longer ones. */
const mostPathBytes = 4096;
/** Links in a path, as in Linux; more are treated as a cycle. */
const mostLinks = 40;

/** The path of a request, as if there were no links. */
export function absolutePath({ roots, given, refuse }: FileRequest): string {
  if (given === '') throw refuse('invalid-path', 'the path is empty');
  if (given.includes('\0')) throw refuse('invalid-path', 'contains a NUL byte');
  const full = path.resolve(roots.cwd, given);
  if (Buffer.byteLength(full) > mostPathBytes) throw refuse('invalid-path', 'the path is too long');
  return full;
}

function checkInside(location: Location, request: FileRequest): void {
  if (isInside(request.roots, location.real)) return;
  if (!isInside(request.roots, pathOf(location))) throw outside(request);
  throw request.refuse('not-found', "the session's directory does not exist any more");
}

/** Goes from dangling link to dangling link until a real path is left. */
async function trace(full: string, request: FileRequest): Promise<Location> {
  let next = full;
  for (let links = 0; links <= mostLinks; links++) {
    const location = await deepestExisting(next, request);
    const [first, ...rest] = location.missing;
    if (first === undefined) return location;
    const target = await linkTarget(path.join(location.real, first));
    if (target === undefined) return location;
    next = path.resolve(location.real, target, ...rest);
  }
  throw request.refuse('invalid-path', 'too many symbolic links');
}

async function deepestExisting(full: string, request: FileRequest): Promise<Location> {
  const missing: string[] = [];
  let existing = full;
  for (;;) {
    try {
      return { real: await realpath(existing), missing };
    } catch (error) {
      const parent = path.dirname(existing);
      if (systemCode(error) !== 'ENOENT' || parent === existing) {
        throw toWorkspaceError(error, request.action, request.given);
      }
      missing.unshift(path.basename(existing));
      existing = parent;
    }
  }
}

/** What a name links to, when it is a link to something that is not there. */
async function linkTarget(name: string): Promise<string | undefined> {
  try {
    return await readlink(name);
  } catch {
    // No link, or gone meanwhile: it is missing. Opening it will say what is wrong with it.
    return undefined;
  }
}
