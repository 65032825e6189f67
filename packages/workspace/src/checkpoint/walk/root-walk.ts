import {
  hasTokensOnly,
  isNameOfSandbox,
  isSocketOfSandbox,
  tokenPrefix,
} from '../../sandbox/placeholder-names.ts';
import type { Git } from '../git.ts';
import type { BytePath } from '../workspace-path.ts';
import { Listing, parentOf, type ListedPaths } from './listing.ts';
import { pauses } from './pauses.ts';
import {
  differenceOf,
  hasIgnoredRules,
  hasInnerGit,
  hasOtherUnreadable,
  isListedBetween,
  isSettledScan,
} from './scan-difference.ts';
import { isSameScan, scan, type Scan, type ScannedFolder } from './scan.ts';
import { list, pairs, runOptions, type Walk, type WalkRequest } from './walk.ts';

/** The walk results that match the root's index: if a scan is equal, nothing needs to be done. */
export interface SeenRoot {
  readonly scan: Scan;
  readonly paths: ListedPaths;
}

/**
 * Walks over a root, one after another. Each walk is a scan in this process. Git is only used for what the scan
 * cannot decide: everything in the first walk, later new and ignored files if names or ignore rules have changed.
 */
export class RootWalk {
  readonly #git: Git;
  readonly #now: () => number;
  readonly #seen: SeenRoot | undefined;
  #last: LastWalk | undefined;
  /** Files of the index that differ from the last walk; true: they were removed. */
  readonly #open = new Map<BytePath, boolean>();
  /** Files that were added to the index since the first walk, and files that were removed from it. */
  readonly #added = new Set<BytePath>();
  readonly #removed = new Set<BytePath>();
  /** Whether the listing is right for the scan. */
  #isListed = true;
  #hasNewRules = false;

  constructor(git: Git, { now, seen }: { readonly now: () => number; readonly seen: SeenRoot | undefined }) {
    this.#git = git;
    this.#now = now;
    this.#seen = seen;
    if (seen !== undefined) this.#last = { scan: seen.scan, listing: new Listing(seen.paths) };
  }

  async next(request: WalkRequest): Promise<void> {
    this.#last =
      this.#last === undefined ? await this.#begin(request) : await this.#goOn(request, this.#last);
  }

  /** What the last walk found; undefined before the first one. */
  get found(): Walk | undefined {
    return this.#last === undefined ? undefined : toWalk(this.#last, new Map(this.#open));
  }

  /** The index has this file now as it is. */
  added(name: BytePath): void {
    this.#open.delete(name);
    this.#added.add(name);
    this.#removed.delete(name);
    if (this.#last?.listing.add(name) === false) this.#isListed = false;
  }

  /** Files that the index does not have any more. */
  removed(names: readonly BytePath[]): void {
    for (const name of names) {
      const isGone = this.#open.get(name) === true;
      this.#open.delete(name);
      this.#added.delete(name);
      this.#removed.add(name);
      if (!isGone || this.#last?.listing.isNearIgnored(name) !== false) this.#isListed = false;
    }
  }

  /** Whether the index matches the last walk, and git has listed the files that are not in it. */
  get isSettled(): boolean {
    return this.#isListed && this.#open.size === 0 && this.#last?.scan.isPartial === false;
  }

  /** Whether nothing has changed since the earlier take. */
  get isUnchanged(): boolean {
    if (this.#seen === undefined || this.#last === undefined || !this.isSettled) return false;
    return isSameScan(this.#seen.scan, this.#last.scan);
  }

  /** Whether git has to list again. */
  get isUnlisted(): boolean {
    return !this.#isListed;
  }

  /** Whether the ignore rules in the folder may have changed with the last walk. */
  get hasNewRules(): boolean {
    return this.#hasNewRules;
  }

  /** Makes the next walk list new and ignored files with git. */
  listAgain(): void {
    this.#isListed = false;
  }

  /** The file states for the next take; undefined if a later change could be missed. */
  get seen(): SeenRoot | undefined {
    if (this.#last === undefined || !this.isSettled) return undefined;
    const { scan: found, listing } = this.#last;
    return isSettledScan(found) && !hasInnerGit(found) ? { scan: found, paths: listing.paths } : undefined;
  }

  /** The folders that have files of the index, at any depth; undefined where that is not known. */
  get filledFolders(): ReadonlySet<BytePath> | undefined {
    if (this.#last === undefined || !this.isSettled) return undefined;
    const { scan: found, listing } = this.#last;
    const filled = new Set<BytePath>();
    for (const [path, { names }] of found.folders) {
      if (names === undefined) return undefined;
      const prefix = prefixOf(path);
      const isFile = (name: string): boolean =>
        name.startsWith('f') && !listing.isUntracked(prefix + name.slice(1));
      if (!names.some(isFile)) continue;
      for (let at = path; at !== '' && !filled.has(at); at = parentOf(at)) filled.add(at);
    }
    return filled;
  }

  /** Whether the last walk found these files of the index. */
  hasAll(names: readonly BytePath[]): boolean {
    return names.every((name) => {
      const folder = this.#last?.scan.folders.get(parentOf(name));
      const isFound = folder?.names?.includes(`f${name.slice(name.lastIndexOf('/') + 1)}`) === true;
      return isFound && this.#last?.listing.isUntracked(name) === false;
    });
  }

  /** Runs the first walk, which uses git for everything. */
  async #begin(request: WalkRequest): Promise<LastWalk> {
    const listedAt = this.#now();
    const run = async (...args: readonly string[]): Promise<readonly string[]> =>
      request.hasIndex ? await list(this.#git, args, runOptions(request)) : [];
    const [paths, stale, tracked] = await Promise.all([
      listPaths(this.#git, request),
      run('diff-files', '--raw', '-z', '--no-renames', '--relative'),
      run('ls-files', '-z', '-c'),
    ]);
    this.#open.clear();
    this.#added.clear();
    this.#removed.clear();
    for (const [head, name] of pairs(stale)) this.#open.set(name, head.endsWith('D'));
    const { skipped } = new Listing({ ...paths, unlisted: [] });
    const found = await this.#scan(request, { skipped });
    this.#isListed = isListedBetween(undefined, found, listedAt) && !hasInnerGit(found);
    this.#hasNewRules = hasIgnoredRules(found);
    const ofIndex = new Set(tracked);
    const isOfIndex = (name: BytePath): boolean => ofIndex.has(name);
    return { scan: found, listing: await complete(paths, found, () => isOfIndex, request.signal) };
  }

  async #goOn(request: WalkRequest, last: LastWalk): Promise<LastWalk> {
    const { skipped } = last.listing;
    const found = await this.#scan(request, { skipped, before: last.scan, knownOnly: true });
    if (this.#isListed && isSameScan(last.scan, found)) {
      this.#hasNewRules = false;
      return { ...last, scan: found };
    }
    if (found.isPartial || hasOtherUnreadable(last.scan, found)) return await this.#begin(request);
    const { files, changesListing } = differenceOf(last.scan, found);
    const isListed = this.#isListed && !changesListing && !hasInnerGit(found);
    if (!isListed) return await this.#list(request, last, found);
    this.#note(files, last.listing);
    this.#hasNewRules = false;
    return { scan: found, listing: last.listing };
  }

  /** Lists new and ignored files with git, between two scans. */
  async #list(request: WalkRequest, last: LastWalk, before: Scan): Promise<LastWalk> {
    const listedAt = this.#now();
    const paths = await listPaths(this.#git, request);
    const { skipped } = new Listing({ ...paths, unlisted: [] });
    const hasSameSkipped = isSameSet(skipped, last.listing.skipped);
    const found = await this.#scan(request, { skipped, ...(hasSameSkipped && { before }) });
    const { files, changesRules } = differenceOf(last.scan, found);
    this.#note(files, last.listing);
    this.#hasNewRules = changesRules;
    this.#isListed = isListedBetween(before, found, listedAt) && !hasInnerGit(found);
    const indexIn = (folder: BytePath): ((name: BytePath) => boolean) => {
      const known = new Set(filesIn(folder, last.scan.folders.get(folder)));
      const wasOfIndex = (name: BytePath): boolean => known.has(name) && !last.listing.isUntracked(name);
      return (name) =>
        this.#added.has(name) || this.#open.has(name) || (wasOfIndex(name) && !this.#removed.has(name));
    };
    return { scan: found, listing: await complete(paths, found, indexIn, request.signal) };
  }

  async #scan(
    { folder, signal }: WalkRequest,
    options: Pick<Parameters<typeof scan>[1], 'skipped' | 'before' | 'knownOnly'>,
  ): Promise<Scan> {
    return await scan(folder, { ...options, now: this.#now, signal });
  }

  /** Files that the index does not have are looked at in any case. */
  #note(files: ReadonlyMap<BytePath, boolean>, listing: Listing): void {
    for (const [name, isGone] of files) if (!listing.isUntracked(name)) this.#open.set(name, isGone);
  }
}

interface LastWalk {
  readonly scan: Scan;
  readonly listing: Listing;
}

async function listPaths(git: Git, request: WalkRequest): Promise<Omit<ListedPaths, 'unlisted'>> {
  const options = runOptions(request);
  const [others, ignored] = await Promise.all([
    list(git, ['ls-files', '-z', '-o', ...request.rules.args], options),
    list(git, ['ls-files', '-z', '-o', '-i', '--directory', ...request.rules.args], options),
  ]);
  return {
    untracked: others.filter((name) => !name.endsWith('/')),
    nested: others.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1)),
    ignored,
  };
}

/** Adds the files of a scan that neither the index, folder by folder, nor git's lists have. */
async function complete(
  paths: Omit<ListedPaths, 'unlisted'>,
  found: Scan,
  indexIn: (folder: BytePath) => (name: BytePath) => boolean,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const pause = pauses(signal);
  const untracked = new Set(paths.untracked);
  const unlisted: BytePath[] = [];
  for (const [path, folder] of found.folders) {
    const isOfIndex = indexIn(path);
    for (const name of filesIn(path, folder)) {
      if (!untracked.has(name) && !isOfIndex(name)) unlisted.push(name);
      const paused = pause();
      if (paused !== undefined) await paused;
    }
  }
  return new Listing({ ...paths, unlisted });
}

/** The files in a folder of a scan, less ignored ones. */
function filesIn(path: BytePath, folder: ScannedFolder | undefined): readonly BytePath[] {
  const prefix = prefixOf(path);
  return (folder?.names ?? []).filter((name) => name.startsWith('f')).map((name) => prefix + name.slice(1));
}

function toWalk({ scan: found, listing }: LastWalk, stale: ReadonlyMap<BytePath, boolean>): Walk {
  const { untracked, nested, ignored } = listing.paths;
  const folders = new Map<BytePath, number>();
  const special: BytePath[] = [];
  const unreadable: BytePath[] = [];
  for (const [path, { names, stamp }] of found.folders) {
    if (listing.isHidden(path)) continue;
    if (isFolderOfSandbox(path, names ?? [])) continue;
    if (path !== '') folders.set(path, (stamp[0] ?? 0) & 0o7777);
    if (names === undefined) unreadable.push(path);
    const prefix = prefixOf(path);
    for (const name of names ?? []) {
      if (name.startsWith('s') && !isSocketIn(names ?? [], name)) special.push(prefix + name.slice(1));
    }
  }
  return { stale, untracked, nested, ignored, folders, special, unreadable };
}

/** Whether a folder is there only while sandboxes are open. The names in it begin with their kind. */
function isFolderOfSandbox(path: BytePath, names: readonly string[]): boolean {
  if (isNameOfSandbox(path.slice(path.lastIndexOf('/') + 1))) return true;
  // Most folders begin with another name.
  return names[0]?.startsWith(`d${tokenPrefix}`) === true && hasTokensOnly(names.map(withoutKind));
}

function isSocketIn(names: readonly string[], name: string): boolean {
  return isSocketOfSandbox(withoutKind(name), names.map(withoutKind));
}

function withoutKind(name: string): string {
  return name.slice(1);
}

function isSameSet(one: ReadonlySet<BytePath>, other: ReadonlySet<BytePath>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function prefixOf(folder: BytePath): string {
  return folder === '' ? '' : `${folder}/`;
}
