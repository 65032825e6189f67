/** Replaces a result that is no longer needed. */
export const aborted: unique symbol = Symbol('aborted');

/** Waits for a promise, but no longer than until the signal is aborted. A later failure of the promise is ignored. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof aborted> {
  let onAbort: (() => void) | undefined;
  const end = new Promise<typeof aborted>((resolve) => {
    if (signal.aborted) resolve(aborted);
    onAbort = () => resolve(aborted);
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
