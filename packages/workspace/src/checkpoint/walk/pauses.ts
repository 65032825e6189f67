import { setImmediate } from 'node:timers/promises';

/** How long a walk may block the process. */
const mostBlockingMs = 5;

/** Gives the rest of the process its turn now and then. */
export function pauses(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  let count = 0;
  return () => {
    count += 1;
    if (count % 32 !== 0 || performance.now() - since < mostBlockingMs) return undefined;
    return setImmediate().then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}
