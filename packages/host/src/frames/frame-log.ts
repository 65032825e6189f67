import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { frameLine, headLine, type WrittenFrame } from '@parley/recording';
import type { ObservedFrame } from '@parley/wire';
import { pauseAfter } from '@parley/workspace';
import type { HubFrame } from '../hub/hub-frame.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import { framesFile, lastFrameNumber, olderFramesFile } from './frame-file.ts';

/** Redacts secrets in frames. */
export interface FrameRedactor {
  redact(message: unknown): unknown;
  redactText(text: string): string;
}

/** Options of a frame log. */
export interface FrameLogOptions {
  readonly folder: string;
  /** Fields of its first line, in addition to format version and time. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly limits: Pick<SessionLimits, 'frameBytes' | 'heldFrameLength'>;
  readonly onFault: (error: unknown) => void;
}

/** How long frames are collected before they are written together, in milliseconds after the last write began. */
const gatherMs = 100;

/** The longest time that frames are collected for, where writes take long. */
const mostGatherMs = 1000;

/** Characters of frames that are written without waiting for more. */
const gatherLength = 64 * 1024;

interface HeldFrame {
  readonly frame: HubFrame;
  readonly length: number;
}

/**
 * The latest frames of a session's agent, in a recording next to the event log, up to a size limit. The last ones are
 * also in memory, for clients that watch.
 */
export class FrameLog {
  readonly #options: FrameLogOptions;
  readonly #held: HeldFrame[] = [];
  #heldLength = 0;
  #seq = 0;
  #bytes = 0;
  #waiting = '';
  #waitingFrames = 0;
  /** Number of frames that are not in the file, because too many waited or writing failed. */
  #dropped = 0;
  #writing: Promise<void> = Promise.resolve();
  #isQueued = false;
  /** When the last write began. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  #gatherMs = gatherMs;
  /** Set if the queued write should not wait for more frames. */
  #isHurried = false;
  #stopGathering: () => void = () => {};
  /** Set if the file cannot be read, or the last write failed. */
  #isBroken = false;
  /** Set if the file may end with an incomplete line. */
  #isTorn = false;
  #announce: () => void = () => {};
  #next: Promise<void> = Promise.resolve();

  constructor(options: FrameLogOptions) {
    this.#options = options;
    this.#beginWait();
  }

  /** Settles with the next frame. */
  get next(): Promise<void> {
    return this.#next;
  }

  /** The number of the first frame in memory; the next number if there is none. */
  get firstHeld(): number {
    return this.#held[0]?.frame.seq ?? this.#seq + 1;
  }

  /** Continues after the stored frames. Never rejects. */
  async open(): Promise<void> {
    const { folder, onFault } = this.#options;
    if (this.#seq > 0) return;
    try {
      this.#seq = await lastFrameNumber(folder);
      this.#bytes = await sizeOf(framesFile(folder));
    } catch (error) {
      // A session does not depend on its frames.
      this.#isBroken = true;
      onFault(error);
    }
  }

  /** Releases frames in memory that are already in the file. */
  rest(): void {
    if (this.#isBroken) return;
    this.#held.length = 0;
    this.#heldLength = 0;
  }

  observe({ direction, time, message, fault }: ObservedFrame, redactor: FrameRedactor): void {
    if (this.#waiting.length > this.#options.limits.heldFrameLength) {
      this.#dropped += 1;
      return;
    }
    this.#noteDropped(time);
    const head = fault === undefined ? '' : redactor.redactText(fault.head);
    this.#add(
      {
        seq: this.#seq + 1,
        time,
        direction,
        ...(message !== undefined && { message: redactor.redact(message) }),
        ...(fault !== undefined && { fault: `${fault.code}: ${head}` }),
      },
      fault === undefined ? undefined : { code: fault.code, bytes: fault.bytes, head },
    );
  }

  /** Returns the frames after a number; undefined if they are no longer in memory. */
  after(seq: number): readonly HubFrame[] | undefined {
    if (seq >= this.#seq) return [];
    const [first] = this.#held;
    if (first === undefined || first.frame.seq > seq + 1) return undefined;
    return this.#held.slice(seq + 1 - first.frame.seq).map(({ frame }) => frame);
  }

  /** Settles when all observed frames are in the file. Never rejects. */
  flush(): Promise<void> {
    if (this.#isQueued) this.#hurry();
    return this.#writing;
  }

  #noteDropped(time: number): void {
    if (this.#dropped === 0) return;
    const head = `${String(this.#dropped)} frames could not be stored`;
    this.#dropped = 0;
    this.#add(
      { seq: this.#seq + 1, time, direction: 'in', fault: head },
      { code: 'omitted', bytes: 0, head },
    );
  }

  #add(frame: HubFrame, fault: WrittenFrame['fault']): void {
    this.#seq = frame.seq;
    const { seq, time, direction, message } = frame;
    const line = frameLine({ seq, time, direction, message, ...(fault !== undefined && { fault }) });
    this.#held.push({ frame, length: line.length });
    this.#heldLength += line.length;
    while (this.#held.length > 1 && this.#heldLength > this.#options.limits.heldFrameLength) {
      this.#heldLength -= this.#held.shift()?.length ?? 0;
    }
    this.#write(line);
    const announce = this.#announce;
    this.#beginWait();
    announce();
  }

  #beginWait(): void {
    this.#next = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  #write(line: string): void {
    this.#waiting += line;
    this.#waitingFrames += 1;
    if (this.#waiting.length >= gatherLength) this.#hurry();
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#writing = this.#writing.then(() => this.#writeWaiting());
  }

  #hurry(): void {
    this.#isHurried = true;
    this.#stopGathering();
  }

  /** A write opens and closes the file, which costs more than a frame. */
  #gather(): Promise<void> | undefined {
    const leftMs = this.#writtenAt + this.#gatherMs - performance.now();
    if (leftMs <= 0 || this.#isHurried) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      this.#stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #writeWaiting(): Promise<void> {
    await this.#gather();
    this.#isQueued = false;
    this.#isHurried = false;
    this.#writtenAt = performance.now();
    const { folder, head, limits, onFault } = this.#options;
    const file = framesFile(folder);
    const frames = this.#waitingFrames;
    const lines = this.#waiting;
    this.#waiting = '';
    this.#waitingFrames = 0;
    try {
      if (this.#bytes > limits.frameBytes / 2) {
        await rm(olderFramesFile(folder), { force: true });
        await rename(file, olderFramesFile(folder));
        this.#bytes = 0;
      }
      // The event log may be elsewhere.
      if (this.#bytes === 0) await mkdir(folder, { recursive: true, mode: 0o700 });
      const text = this.#bytes === 0 ? headLine(head, Date.now()) + lines : lines;
      // A line that was written in part is passed over by readers; what follows is on a line of its own.
      const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
      this.#isTorn = true;
      await appendFile(file, bytes, { mode: 0o600 });
      this.#isTorn = false;
      this.#isBroken = false;
      this.#bytes += bytes.length;
      this.#gatherMs = pauseAfter(performance.now() - this.#writtenAt, gatherMs, mostGatherMs);
    } catch (error) {
      // What is held can be watched all the same, and the next frames are tried again.
      this.#dropped += frames;
      if (!this.#isBroken) onFault(error);
      this.#isBroken = true;
    }
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    // Nothing was kept yet.
    return 0;
  }
}
