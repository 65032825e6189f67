import { isDeepStrictEqual } from 'node:util';
import type { BytePath } from '../workspace-path.ts';
import { isSettled, isStamped, stampSize, ctimeAt, ctimeOf, type Scan, type ScannedFolder } from './scan.ts';

/** What changed between two scans of a folder. */
export interface ScanDifference {
  /**
   * Whether names, kinds or ignore rules differ, including those of ignored files: git then has to list new and
   * ignored files again.
   */
  readonly changesListing: boolean;
  readonly changesRules: boolean;
  /** Files of the first scan whose status differs; true if they were removed. */
  readonly files: ReadonlyMap<BytePath, boolean>;
}

export function differenceOf(before: Scan, after: Scan): ScanDifference {
  const files = new Map<BytePath, boolean>();
  let changesListing = before.folders.size !== after.folders.size;
  for (const [path, folder] of before.folders) {
    const now = after.folders.get(path);
    if (now === folder) continue;
    const prefix = path === '' ? '' : `${path}/`;
    const stamps = now === undefined ? undefined : stampsByName(now);
    if (now === undefined || !hasSameNames(folder, now)) changesListing = true;
    for (const [name, stamp] of stampsByName(folder)) {
      const current = stamps?.get(name);
      const isSame = current !== undefined && isEqual(stamp, current);
      if (!isSame && name.startsWith('f')) files.set(prefix + name.slice(1), current === undefined);
    }
  }
  const changesRules = !isDeepStrictEqual(rulesOf(before), rulesOf(after));
  return { changesListing: changesListing || changesRules, changesRules, files };
}

/** The stamps of all `.gitignore` files. */
function rulesOf({ folders }: Scan): ReadonlyMap<BytePath, Float64Array> {
  return new Map(
    [...folders].flatMap(([path, folder]) => {
      const index = folder.names?.findIndex(isRules) ?? -1;
      if (index === -1) return [];
      const at = (folder.names ?? []).slice(0, index).filter(isStamped).length * stampSize;
      return [[path, folder.stamps.subarray(at, at + stampSize)] as const];
    }),
  );
}

/** Whether a scan has ignore rules that are ignored themselves. */
export function hasIgnoredRules({ folders }: Scan): boolean {
  return [...folders.values()].some(({ names }) => names?.includes('r.gitignore') === true);
}

/**
 * Whether a listing by git between two scans is valid for the second one: names and rules are equal in both, or have
 * not changed since before git started. Which names are ignored may differ.
 */
export function isListedBetween(before: Scan | undefined, after: Scan, listedAt: number): boolean {
  for (const [path, folder] of after.folders) {
    const earlier = before?.folders.get(path);
    if (earlier === folder) continue;
    const hasOld = isSettled(ctimeOf(folder.stamp), listedAt);
    if (!hasOld && (earlier === undefined || kindsOf(earlier) !== kindsOf(folder))) return false;
    const stamps = earlier === undefined ? undefined : stampsByName(earlier);
    for (const [name, stamp] of stampsByName(folder)) {
      if (!isRules(name) || isSettled(ctimeOf(stamp), listedAt)) continue;
      const known = stamps?.get(`f${name.slice(1)}`) ?? stamps?.get(`r${name.slice(1)}`);
      if (known === undefined || !isEqual(known, stamp)) return false;
    }
  }
  return true;
}

/** Whether all time stamps of a scan were in the past when it started, so that every later change is detected. */
export function isSettledScan({ folders, startedAt }: Scan): boolean {
  for (const { stamps } of folders.values()) {
    for (let at = ctimeAt; at < stamps.length; at += stampSize) {
      if (!isSettled(stamps[at] ?? Number.NaN, startedAt)) return false;
    }
  }
  return true;
}

/** Whether different folders are unreadable than before: the state of their files is unknown. */
export function hasOtherUnreadable(before: Scan, after: Scan): boolean {
  const unreadable = ({ folders }: Scan): readonly BytePath[] =>
    [...folders].filter(([, { names }]) => names === undefined).map(([path]) => path);
  const known = new Set(unreadable(before));
  const now = unreadable(after);
  return now.length !== known.size || now.some((path) => !known.has(path));
}

/** Whether a folder below the root has a `.git`. It may become a repository without any change of names. */
export function hasInnerGit({ folders }: Scan): boolean {
  for (const [path, { names }] of folders) if (path !== '' && names?.includes('g.git') === true) return true;
  return false;
}

function stampsByName({ names, stamps }: ScannedFolder): ReadonlyMap<string, Float64Array> {
  const found = (names ?? []).filter(isStamped);
  return new Map(
    found.map((name, index) => [name, stamps.subarray(index * stampSize, (index + 1) * stampSize)]),
  );
}

function hasSameNames(one: ScannedFolder, other: ScannedFolder): boolean {
  return one.names === other.names || one.names?.join('/') === other.names?.join('/');
}

function isEqual(one: Float64Array, other: Float64Array): boolean {
  return one.every((value, index) => value === other[index]);
}

function isRules(name: string): boolean {
  return name === 'f.gitignore' || name === 'r.gitignore';
}

/** The names of a folder and what they are, whether ignored or not. */
function kindsOf({ names }: ScannedFolder): string | undefined {
  return names
    ?.map((name) => `${name.slice(1)}/${name.charAt(0).toLowerCase().replace('r', 'f')}`)
    .toSorted((left, right) => (left < right ? -1 : 1))
    .join('/');
}
