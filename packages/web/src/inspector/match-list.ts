import { toMatcher, type FrameFilter } from './frame-filter.ts';
import type { FrameLog } from './frame-log.ts';
import type { FrameRow } from './frame-row.ts';

/** So many frames are looked at before the time is asked for. */
const stride = 200;

/** The frames of a log that a filter wants, found a slice at a time: a long log does not hold up the page. */
export class MatchList {
  readonly #log: FrameLog;
  readonly #isWanted: (row: FrameRow) => boolean;
  #rows: readonly FrameRow[] = [];
  /** Where each of them stands, those counted that the log has dropped. */
  #places: readonly number[] = [];
  /** How many frames were looked at, those included that the log has dropped. */
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
   * Looks at what was not looked at yet.
   * @param limit Frames of the log that came later than so many are left for later.
   * @returns whether it is through
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
