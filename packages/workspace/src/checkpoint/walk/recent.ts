import { toSystemPath, type BytePath } from '../workspace-path.ts';
import type { FoundFile } from './inspect.ts';
import { pauses } from './pauses.ts';
import { statOf } from './stat.ts';

/** A file that was read in the second in which it had changed, and its time stamp in nanoseconds. */
export type RecentFile = readonly [name: BytePath, ctimeNs: string];

/**
 * Files that were read in the second in which they had changed. git compares whole seconds, so that it could miss their next change; here
 * their time stamps are compared to the nanosecond until that second is over.
 */
export class RecentFiles {
  readonly #files: Map<BytePath, bigint>;
  /** The paths that the last check found changed. */
  #changed: ReadonlySet<BytePath> = new Set();

  constructor(files: readonly RecentFile[] = []) {
    this.#files = new Map(files.map(([name, ctimeNs]) => [name, BigInt(ctimeNs)]));
  }

  /** Those that are there and have another time stamp now. */
  async changed(folder: string, signal?: AbortSignal): Promise<ReadonlySet<BytePath>> {
    const changed = new Set<BytePath>();
    const pause = pauses(signal);
    for (const [name, ctimeNs] of this.#files) {
      const stats = statOf(toSystemPath(folder, name));
      if (stats !== undefined && stats.ctimeNs !== ctimeNs) changed.add(name);
      await pause();
    }
    this.#changed = changed;
    return changed;
  }

  /** Notes a file that is about to be read, at a moment in milliseconds. */
  add(name: BytePath, { ctimeNs }: FoundFile, now: number): void {
    if (isRecent(ctimeNs, now)) this.#files.set(name, ctimeNs);
    else this.#files.delete(name);
  }

  remove(name: BytePath): void {
    this.#files.delete(name);
  }

  /** Files that changed in the same second as the last check, and changed files that were not read since. */
  list(now: number): readonly RecentFile[] {
    return [...this.#files]
      .filter(([name, ctimeNs]) => isRecent(ctimeNs, now) || this.#changed.has(name))
      .map(([name, ctimeNs]) => [name, String(ctimeNs)]);
  }
}

/** Tolerance for file systems whose clock is a few milliseconds behind. */
const slackMs = 50;

function isRecent(ctimeNs: bigint, now: number): boolean {
  return ctimeNs / 1_000_000_000n >= BigInt(Math.floor((now - slackMs) / 1000));
}
