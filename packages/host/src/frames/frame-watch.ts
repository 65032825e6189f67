import type { FramesNote } from '../hub/hub-methods.ts';
import { readFrames } from './frame-file.ts';
import type { FrameLog } from './frame-log.ts';

/** The sessions whose frames a client watches. */
export interface FrameWatchOptions {
  readonly sessionId: string;
  readonly folder: string;
  readonly log: FrameLog;
  readonly signal: AbortSignal;
  /** Sends frames. The next ones are read when the promise settles. */
  readonly send: (note: FramesNote) => Promise<void>;
}

/** Sends the frames of a session until the signal is aborted: the stored ones, then each new one. */
export async function watchFrames(options: FrameWatchOptions): Promise<void> {
  const { sessionId, folder, log, signal, send } = options;
  let seq = 0;
  let mustRead = true;
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const { next } = log;
    const frames = mustRead ? undefined : log.after(seq);
    if (frames === undefined) {
      mustRead = false;
      await log.flush();
      for await (const kept of readFrames(folder, seq)) {
        if (isOver()) return;
        await send({ sessionId, frames: kept });
        seq = kept.at(-1)?.seq ?? seq;
      }
      // What could not be kept is watched from where it is held.
      if (log.after(seq) === undefined) seq = Math.max(seq, log.firstHeld - 1);
    } else if (frames.length === 0) {
      await Promise.race([next, ended]);
    } else {
      await send({ sessionId, frames });
      seq = frames.at(-1)?.seq ?? seq;
    }
  }
}
