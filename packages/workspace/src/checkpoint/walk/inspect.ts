import { accessSync, constants, type BigIntStats } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { OmissionReason } from '../checkpoint.ts';
import { toSystemPath, type BytePath } from '../workspace-path.ts';
import { arrivalOf } from './arrival.ts';
import { pauses } from './pauses.ts';
import { coarseTickMs, fineTickMs } from './scan.ts';
import { statOf } from './stat.ts';

/** The paths that a walk found different, with their current state. */
export interface Findings {
  /** To be read. */
  readonly present: ReadonlyMap<BytePath, FoundFile>;
  /** No longer there, or not covered any more. */
  readonly absent: readonly BytePath[];
  readonly omitted: ReadonlyMap<BytePath, OmissionReason>;
  /** They stay as the index has them: they changed after the moment that the checkpoint is for. */
  readonly retained: readonly BytePath[];
  /** The latest change, in milliseconds since 1970; whether the file system counts whole seconds only. */
  readonly youngest: number;
  readonly hasCoarseTimes: boolean;
}

/** A file or link before it is read. */
export interface FoundFile {
  /** The permission bits; `linkPermissions` for a link. */
  readonly permissions: number;
  readonly ctimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly size: bigint;
  readonly ino: bigint;
  /** As in git's index. */
  readonly mode: number;
}

/** Paths to check, and what is already known about them. */
export interface InspectRequest {
  readonly folder: string;
  /** Paths of the index; true: git did not find the file. */
  readonly stale: ReadonlyMap<BytePath, boolean>;
  readonly untracked: readonly BytePath[];
  readonly maxFileBytes: number;
  /** Files that changed later keep their earlier content. */
  readonly changedSince?: number | undefined;
  /** Whether an earlier checkpoint contains the previous state. */
  readonly hasEarlier: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Looks at paths: whether they are there, how large, and when they changed. Follows no link and reads no content. */
export async function inspect(request: InspectRequest): Promise<Findings> {
  const { folder, stale, untracked, maxFileBytes, changedSince, hasEarlier, signal } = request;
  const present = new Map<BytePath, FoundFile>();
  const absent: BytePath[] = [];
  const retained: BytePath[] = [];
  const omitted = new Map<BytePath, OmissionReason>();
  let youngest = 0n;
  let hasCoarseTimes = true;
  const look = (name: BytePath, isTracked: boolean, isGone: boolean): void => {
    const file = toSystemPath(folder, name);
    const stats = isGone ? undefined : statOf(file);
    if (changedSince !== undefined) {
      const arrival = arrivalOf({ folder, name, stats, changedSince });
      if (isTracked && arrival !== 'before') return void retained.push(name);
      if (!isTracked && stats !== undefined && arrival !== 'before') {
        // A new file is the turn's, and not in an earlier checkpoint either.
        if (!hasEarlier || arrival === 'unknown') omitted.set(name, 'late');
        return;
      }
    }
    const reason = stats === undefined ? undefined : omissionReason(file, stats, maxFileBytes);
    if (reason !== undefined) omitted.set(name, reason);
    if (stats === undefined || reason !== undefined || isNoFile(stats)) {
      if (isTracked) absent.push(name);
      return;
    }
    const permissions = stats.isSymbolicLink() ? linkPermissions : Number(stats.mode & 0o7777n);
    const { ctimeNs, mtimeNs, size, ino } = stats;
    present.set(name, { permissions, ctimeNs, mtimeNs, size, ino, mode: indexMode(stats) });
    if (stats.ctimeNs > youngest) youngest = stats.ctimeNs;
    if (stats.ctimeNs % 1_000_000_000n !== 0n) hasCoarseTimes = false;
  };
  const pause = pauses(signal);
  for (const [name, isGone] of stale) {
    look(name, true, isGone);
    await pause();
  }
  for (const name of untracked) {
    look(name, false, false);
    await pause();
  }
  return { present, absent, omitted, retained, youngest: Number(youngest / 1_000_000n), hasCoarseTimes };
}

function indexMode(stats: BigIntStats): number {
  if (stats.isSymbolicLink()) return 0o120000;
  return (stats.mode & 0o100n) === 0n ? 0o100644 : 0o100755;
}

/** Stored in place of the permissions of a link, which mean nothing. */
export const linkPermissions = -1;

/**
 * Waits until the clock of the file system has moved on since the latest change: a change after the files are read then has a later
 * time stamp, so that the next walk sees it.
 */
export async function awaitNextTick(
  { youngest, hasCoarseTimes }: Findings,
  { now, signal }: { readonly now: () => number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const tickMs = hasCoarseTimes ? coarseTickMs : fineTickMs;
  const waitMs = youngest + tickMs - now();
  // A time stamp of the future: the clock was set back, and no wait reaches it.
  if (waitMs <= 0 || waitMs > tickMs) return;
  await setTimeout(waitMs, undefined, { ...(signal !== undefined && { signal }) });
}

function isNoFile(stats: BigIntStats): boolean {
  return !stats.isFile() && !stats.isSymbolicLink();
}

function omissionReason(
  file: string | Buffer,
  stats: BigIntStats,
  maxFileBytes: number,
): OmissionReason | undefined {
  if (stats.isDirectory() || stats.isSymbolicLink()) return undefined;
  if (!stats.isFile()) return 'special';
  if (stats.size > BigInt(maxFileBytes)) return 'too-large';
  try {
    accessSync(file, constants.R_OK);
    return undefined;
  } catch {
    return 'unreadable';
  }
}
