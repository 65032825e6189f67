import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Interval of checks whether a stream is still being written. */
const tickMs = 100;
/** More than any pipe or socket buffer contains: a sender of this much is still running. */
const mostLeftBytes = 1024 * 1024;

/**
 * Waits for the end of a stream after all known processes that could write to it have exited. Another process may
 * hold it open: it is destroyed once nothing arrived for two ticks, or more than fits into a pipe.
 */
export function drain(stream: Readable): Promise<void> {
  const drained = new Promise<void>((resolve) => {
    stream.once('close', resolve);
    if (stream.destroyed) resolve();
  });
  const first = bytesRead(stream);
  let last = first;
  let silentTicks = 0;
  const timer = setInterval(() => {
    const now = bytesRead(stream);
    const isWaitingForReader = stream.readableLength > 0 || stream.isPaused();
    silentTicks = now === last && !isWaitingForReader ? silentTicks + 1 : 0;
    last = now;
    if (silentTicks >= 2 || now - first > mostLeftBytes) stream.destroy();
  }, tickMs);
  return drained.finally(() => clearInterval(timer));
}

function bytesRead(stream: Readable): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}
