import { keptFrameBytes, keptFrames } from '../limits.ts';
import { nameOf, type FrameRow, type RawFrame } from './frame-row.ts';
import { FrameTrace } from './frame-trace.ts';

/** Limits of the stored frames; older ones are dropped. */
export interface FrameLogLimits {
  /** @default 100000 */
  readonly frames?: number;
  /** Of all texts together, in bytes. @default 134217728 */
  readonly bytes?: number;
}

/** The frames of a session up to a limit, and the relations between them. */
export class FrameLog {
  readonly #limits: Required<FrameLogLimits>;
  readonly #rows: FrameRow[] = [];
  readonly #answers = new Map<number, FrameRow>();
  readonly #names = new Map<string, number>();
  #trace = new FrameTrace();
  #last: Pick<RawFrame, 'seq' | 'time'> = { seq: 0, time: 0 };
  #beganAt: number | undefined;
  #dropped = 0;
  #bytes = 0;

  constructor({ frames = keptFrames, bytes = keptFrameBytes }: FrameLogLimits = {}) {
    this.#limits = { frames, bytes };
  }

  /** All rows in order. Replaced by each call of {@link take}. */
  get rows(): readonly FrameRow[] {
    return this.#rows;
  }

  /** How many there were before the first of {@link rows}. */
  get dropped(): number {
    return this.#dropped;
  }

  /** When the first frame was, be it dropped or not, in milliseconds since 1970. */
  get beganAt(): number {
    return this.#beganAt ?? 0;
  }

  /** How often each name is in {@link rows}. */
  get names(): ReadonlyMap<string, number> {
    return this.#names;
  }

  /** Adds frames. Known ones are ignored: after a reconnect they are sent again. */
  take(frames: readonly RawFrame[]): void {
    for (const frame of frames) {
      const isKnown = frame.seq <= this.#last.seq;
      if (isKnown && frame.time <= this.#last.time) continue;
      // The numbers began anew: the server did, and has nothing to do with what it said before.
      if (isKnown) this.#forget();
      this.#last = frame;
      this.#beganAt ??= frame.time;
      this.#add(this.#trace.follow(frame));
    }
    this.#dropOldest();
  }

  /** The row with a number. */
  find(seq: number): FrameRow | undefined {
    return this.#rows.find((row) => row.seq === seq);
  }

  /** The answer to the request with this number. */
  answerTo(seq: number): FrameRow | undefined {
    return this.#answers.get(seq);
  }

  /** Whether the request with this number has no response yet, and can still get one. */
  isWaiting(seq: number): boolean {
    return this.#trace.isWaiting(seq);
  }

  #add(row: FrameRow): void {
    this.#rows.push(row);
    this.#bytes += row.size;
    if (row.answers !== undefined) this.#answers.set(row.answers, row);
    this.#count(row, 1);
  }

  #count(row: FrameRow, by: 1 | -1): void {
    const name = nameOf(row);
    if (name === undefined) return;
    const count = (this.#names.get(name) ?? 0) + by;
    if (count === 0) this.#names.delete(name);
    else this.#names.set(name, count);
  }

  #forget(): void {
    this.#trace = new FrameTrace();
    this.#beganAt = undefined;
    this.#dropped += this.#rows.length;
    this.#rows.length = 0;
    this.#answers.clear();
    this.#names.clear();
    this.#bytes = 0;
  }

  /** A tenth more than necessary, because removing the first entries of a long list is expensive. */
  #dropOldest(): void {
    const { frames, bytes } = this.#limits;
    if (this.#rows.length <= frames && this.#bytes <= bytes) return;
    let count = 0;
    while (
      count < this.#rows.length - 1 &&
      (this.#rows.length - count > frames * 0.9 || this.#bytes > bytes * 0.9)
    ) {
      const row = this.#rows[count];
      if (row === undefined) break;
      this.#bytes -= row.size;
      this.#answers.delete(row.seq);
      this.#count(row, -1);
      count += 1;
    }
    this.#rows.splice(0, count);
    this.#dropped += count;
  }
}
