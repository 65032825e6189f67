import { toMatcher, type FrameFilter } from './frame-filter.ts';
import type { FrameLog } from './frame-log.ts';
import type { FrameRow } from './frame-row.ts';

/** Number of frames to check between two checks of the time. */
const stride = 200;

/** The frames that match a filter, found in slices, so that a long log does not block the page. */
export class MatchList {
  readonly #log: FrameLog;
  readonly #isWanted: (row: FrameRow) => boolean;
  #rows: readonly FrameRow[] = [];
  /** The positions of the matches, counted from the first frame ever received. */
  #places: readonly number[] = [];
  /** Number of checked frames, including dropped ones. */
  #seen = 0;

  constructor(log: FrameLog, filter: FrameFilter) {
    this.#log = log;
    this.#isWanted = toMatcher(filter);
  }

  /** Those found so far. It is another list whenever something changed. */
  get rows(): readonly FrameRow[] {
    return this.#rows;
  }

  /**
   * Checks further frames.
   *
   * @param limit Frames after this number are left for later.
   * @returns whether all frames were checked
   */
  scan(isTimeUp: () => boolean, limit: number = Infinity): boolean {
    const { rows, dropped } = this.#log;
    const end = Math.min(rows.length, limit - dropped);
    const found: FrameRow[] = [];
    const places: number[] = [];
    let index = Math.max(0, this.#seen - dropped);
    while (index < end) {
      const stop = Math.min(end, index + stride);
      for (; index < stop; index += 1) {
        const row = rows[index];
        if (row === undefined || !this.#isWanted(row)) continue;
        found.push(row);
        places.push(dropped + index);
      }
      if (isTimeUp()) break;
    }
    this.#seen = Math.max(this.#seen, dropped + index);
    this.#take(found, places);
    return index >= end;
  }

  #take(found: readonly FrameRow[], places: readonly number[]): void {
    const firstKept = this.#places.findIndex((place) => place >= this.#log.dropped);
    const gone = firstKept === -1 ? this.#places.length : firstKept;
    if (found.length === 0 && gone === 0) return;
    this.#rows = [...this.#rows.slice(gone), ...found];
    this.#places = [...this.#places.slice(gone), ...places];
  }
}
