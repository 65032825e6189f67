import type { BigIntStats } from 'node:fs';
import { toSystemPath, type BytePath } from '../workspace-path.ts';
import { statOf } from './stat.ts';

/** Whether a path was as it is now before a moment, after it, or whether its time stamps leave that open. */
export type Arrival = 'before' | 'after' | 'unknown';

/** A path, what is there, and the moment in question. */
export interface ArrivalRequest {
  readonly folder: string;
  readonly name: BytePath;
  /** Undefined: the path does not exist. */
  readonly stats: BigIntStats | undefined;
  /** Milliseconds since 1970. */
  readonly changedSince: number;
}

/** Judges by time stamps whether a path became what it is before or after a moment. */
export function arrivalOf({ folder, name, stats, changedSince }: ArrivalRequest): Arrival {
  const moment = BigInt(Math.floor(changedSince)) * 1_000_000n;
  if (stats === undefined) {
    const parent = nearestFolder(folder, name);
    return parent === undefined || parent.mtimeNs <= moment ? 'before' : 'after';
  }
  if (stats.ctimeNs > moment) return stats.birthtimeNs > moment ? 'after' : 'unknown';
  return wasMoved(folder, name, moment) ? 'unknown' : 'before';
}

/** Renaming a folder changes its own status and no time stamp in it; a new entry changes its content as well. */
function wasMoved(folder: string, name: BytePath, moment: bigint): boolean {
  for (let parent = parentOf(name); parent !== undefined; parent = parentOf(parent)) {
    const stats = parent === '' ? undefined : statOf(toSystemPath(folder, parent));
    if (stats !== undefined && stats.ctimeNs > moment && stats.mtimeNs <= moment) return true;
  }
  return false;
}

function nearestFolder(folder: string, name: BytePath): BigIntStats | undefined {
  for (let parent = parentOf(name); parent !== undefined; parent = parentOf(parent)) {
    const stats = statOf(toSystemPath(folder, parent));
    if (stats !== undefined) return stats;
  }
  return undefined;
}

/** '' is the workspace itself, which has no parent. */
function parentOf(name: BytePath): BytePath | undefined {
  if (name === '') return undefined;
  return name.slice(0, Math.max(name.lastIndexOf('/'), 0));
}
