import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

const tickMs = 100;
/** More than any pipe or socket buffer holds: who sends this much is still alive. */
const mostLeftBytes = 1024 * 1024;

/**
 * Waits until a stream has ended, after every process we know of that could write to it is gone.
 * A process out of reach may hold it open: it is destroyed once nothing came for two ticks while it
 * was being read, or once more came than can have been left in the pipe.
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
