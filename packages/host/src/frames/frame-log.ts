import { appendFile, rename, rm, stat } from 'node:fs/promises';
import { frameLine, headLine, type WrittenFrame } from '@parley/recording';
import type { ObservedFrame } from '@parley/wire';
import type { HubFrame } from '../hub/hub-frame.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import { framesFile, lastFrameNumber, olderFramesFile } from './frame-file.ts';

/** Takes secrets out of what went over the wire. */
export interface FrameRedactor {
  redact(message: unknown): unknown;
  redactText(text: string): string;
}

/** What a log of frames is kept with. */
export interface FrameLogOptions {
  readonly folder: string;
  /** What its first line says besides the format's version and the time. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly limits: Pick<SessionLimits, 'frameBytes' | 'heldFrameLength'>;
  readonly onFault: (error: unknown) => void;
}

interface HeldFrame {
  readonly frame: HubFrame;
  readonly length: number;
}

/**
 * The frames of a session's agent, in a recording beside the event log: the newest, as many as there is room for. The last of
 * them are held for those who watch.
 */
export class FrameLog {
  readonly #options: FrameLogOptions;
  readonly #held: HeldFrame[] = [];
  #heldLength = 0;
  #seq = 0;
  #bytes = 0;
  #waiting = '';
  #waitingFrames = 0;
  /** Frames that are not in the file: they came while too many waited, or while it could not be written. */
  #dropped = 0;
  #writing: Promise<void> = Promise.resolve();
  #isQueued = false;
  /** The file cannot be read, or the last write failed. */
  #isBroken = false;
  /** Part of a line may stand at the end of the file. */
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

  /** The number of the first frame that is held; the next one's where none is. */
  get firstHeld(): number {
    return this.#held[0]?.frame.seq ?? this.#seq + 1;
  }

  /** Goes on behind the frames that are kept. Never rejects. */
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

  /** Nothing comes for a while: what is in the file is held no more. */
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

  /** The frames behind a number; undefined where they are not held any more. */
  after(seq: number): readonly HubFrame[] | undefined {
    if (seq >= this.#seq) return [];
    const [first] = this.#held;
    if (first === undefined || first.frame.seq > seq + 1) return undefined;
    return this.#held.slice(seq + 1 - first.frame.seq).map(({ frame }) => frame);
  }

  /** Settles when what was observed is in the file. Never rejects. */
  flush(): Promise<void> {
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
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#writing = this.#writing.then(() => this.#writeWaiting());
  }

  async #writeWaiting(): Promise<void> {
    this.#isQueued = false;
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
      const text = this.#bytes === 0 ? headLine(head, Date.now()) + lines : lines;
      // A line that was written in part is passed over by readers; what follows is on a line of its own.
      const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
      this.#isTorn = true;
      await appendFile(file, bytes, { mode: 0o600 });
      this.#isTorn = false;
      this.#isBroken = false;
      this.#bytes += bytes.length;
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
