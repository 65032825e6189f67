import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import { toSystemPath, type BytePath } from '../workspace-path.ts';
import { pauses } from './pauses.ts';

/**
 * The status of all folders and files below a folder, read in this process. Only folders are opened. Times are
 * numbers with a precision of a quarter of a microsecond; only time stamps in the past are reliable.
 */
export interface Scan {
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** By path; '' is the folder itself. */
  readonly folders: ReadonlyMap<BytePath, ScannedFolder>;
  /** Whether the system denied access to a file: it may still exist. */
  readonly isPartial: boolean;
}

/** A folder of a scan. If nothing in it has changed, the next scan contains the same object. */
export interface ScannedFolder {
  /** Five numbers: mode, device, inode, and the times of its content and its status. */
  readonly stamp: Float64Array;
  /** Sorted; undefined where the folder cannot be read. Each begins with a letter for its {@link Kind}. */
  readonly names: readonly string[] | undefined;
  /** Five numbers for each name of a file, in their order: mode, size, inode, and both times. */
  readonly stamps: Float64Array;
}

/**
 * The kind of a name: a file or link `f`, a folder `d`, something else `s`, uppercase if ignored; `r` for an ignored
 * `.gitignore`, whose rules still apply, and `g` for `.git`.
 */
export type Kind = 'f' | 'd' | 's' | 'F' | 'D' | 'S' | 'r' | 'g';

/** How a folder is scanned. */
export interface ScanOptions {
  /** Paths that git ignores, and nested repositories; folders end with a slash. */
  readonly skipped: ReadonlySet<BytePath>;
  /** A scan with the same `skipped`: folders that did not change since are not read again. */
  readonly before?: Scan | undefined;
  /** Leaves out folders that are not in `before`. */
  readonly knownOnly?: boolean;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** How many numbers the stamp of a file or folder has, and which one is the time of its status. */
export const stampSize = 5;
export const ctimeAt = 4;

/** Scans each folder and file once. Ignored folders are skipped, and links are not followed. */
export async function scan(
  top: string,
  { skipped, before, knownOnly, now, signal }: ScanOptions,
): Promise<Scan> {
  const startedAt = now();
  const folders = new Map<BytePath, ScannedFolder>();
  const pause = pauses(signal);
  const waiting: BytePath[] = [''];
  let isPartial = false;
  const statNow = (path: BytePath): Stats | undefined => {
    try {
      return lstatSync(toSystemPath(top, path), { throwIfNoEntry: false });
    } catch {
      isPartial = true;
      return undefined;
    }
  };
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const prefix = folder === '' ? '' : `${folder}/`;
    const stats = statNow(folder);
    // It was replaced meanwhile: the next scan finds that in the folder around it.
    if (stats?.isDirectory() !== true) continue;
    const earlier = before?.folders.get(folder);
    const stamp = folderStamp(stats);
    const isSame = earlier !== undefined && isEqual(stamp, earlier.stamp);
    const isRead = isSame && isSettled(ctimeOf(earlier.stamp), before?.startedAt ?? 0);
    const found = isRead ? earlier.names : namesIn(top, folder, skipped);
    const names = hasSameNames(earlier?.names, found) ? earlier?.names : found;
    const known = earlier !== undefined && names === earlier.names ? earlier.stamps : undefined;
    let stamps = known;
    let at = 0;
    for (const name of names ?? []) {
      if (name.startsWith('d')) {
        const inner = prefix + name.slice(1);
        if (knownOnly !== true || before?.folders.has(inner) === true) waiting.push(inner);
      }
      if (!isStamped(name)) continue;
      const file = statNow(prefix + name.slice(1));
      if (stamps === undefined || !hasStamp(stamps, at, file)) {
        if (stamps === known) stamps = copyStamps(names ?? [], known);
        if (stamps !== undefined) setStamp(stamps, at, file);
      }
      at += stampSize;
      const paused = pause();
      if (paused !== undefined) await paused;
    }
    const isUnchanged = isSame && known !== undefined && stamps === known;
    folders.set(folder, isUnchanged ? earlier : { stamp, names, stamps: stamps ?? new Float64Array(0) });
    const paused = pause();
    if (paused !== undefined) await paused;
  }
  return { startedAt, folders, isPartial };
}

/** Whether the stat data of a name are part of a scan. */
export function isStamped(name: string): boolean {
  return name.startsWith('f') || name.startsWith('r');
}

/**
 * Whether a time stamp was in the past when a scan started, so that a later change gets another one. FAT has a
 * resolution of two seconds.
 */
export function isSettled(ctimeMs: number, at: number): boolean {
  return ctimeMs + (ctimeMs % 1000 === 0 ? coarseTickMs : fineTickMs) <= at;
}

/** Resolution of file time stamps: the kernel's clock advances every 1 to 10 ms. */
export const fineTickMs = 20;

/** Resolution of file time stamps on FAT: two seconds. */
export const coarseTickMs = 2000;

/** Whether two scans found exactly the same. */
export function isSameScan(one: Scan, other: Scan): boolean {
  if (one.folders.size !== other.folders.size) return false;
  for (const [name, folder] of one.folders) if (other.folders.get(name) !== folder) return false;
  return true;
}

export function ctimeOf(stamp: Float64Array): number {
  return stamp[ctimeAt] ?? Number.NaN;
}

function namesIn(
  top: string,
  folder: BytePath,
  skipped: ReadonlySet<BytePath>,
): readonly string[] | undefined {
  const prefix = folder === '' ? '' : `${folder}/`;
  return readFolder(toSystemPath(top, folder))
    ?.map((entry) => kindOf(entry, prefix + entry.name, skipped) + entry.name)
    .toSorted((left, right) => (left < right ? -1 : 1));
}

function kindOf(entry: Dirent, path: BytePath, skipped: ReadonlySet<BytePath>): Kind {
  if (entry.name === '.git') return 'g';
  if (entry.isDirectory()) return skipped.has(`${path}/`) ? 'D' : 'd';
  if (!entry.isFile() && !entry.isSymbolicLink()) return skipped.has(path) ? 'S' : 's';
  if (!skipped.has(path)) return 'f';
  return entry.name === '.gitignore' ? 'r' : 'F';
}

function readFolder(folder: string | Buffer): readonly Dirent[] | undefined {
  try {
    // 'latin1' gives one character for each byte.
    return readdirSync(folder, { withFileTypes: true, encoding: 'latin1' });
  } catch {
    return undefined;
  }
}

function folderStamp({ mode, dev, ino, mtimeMs, ctimeMs }: Stats): Float64Array {
  return Float64Array.of(mode, dev, ino, mtimeMs, ctimeMs);
}

function isEqual(one: Float64Array, other: Float64Array): boolean {
  return one.every((value, index) => value === other[index]);
}

function hasSameNames(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || one.length !== other.length) return false;
  return one.every((name, index) => name === other[index]);
}

/** Compares stamps. A removed file equals nothing. */
function hasStamp(stamps: Float64Array, at: number, file: Stats | undefined): boolean {
  return (
    file !== undefined &&
    stamps[at] === file.mode &&
    stamps[at + 1] === file.size &&
    stamps[at + 2] === file.ino &&
    stamps[at + 3] === file.mtimeMs &&
    stamps[at + ctimeAt] === file.ctimeMs
  );
}

function setStamp(stamps: Float64Array, at: number, file: Stats | undefined): void {
  stamps[at] = file?.mode ?? Number.NaN;
  stamps[at + 1] = file?.size ?? Number.NaN;
  stamps[at + 2] = file?.ino ?? Number.NaN;
  stamps[at + 3] = file?.mtimeMs ?? Number.NaN;
  stamps[at + ctimeAt] = file?.ctimeMs ?? Number.NaN;
}

function copyStamps(names: readonly string[], known: Float64Array | undefined): Float64Array {
  return known === undefined
    ? new Float64Array(names.filter(isStamped).length * stampSize)
    : new Float64Array(known);
}
