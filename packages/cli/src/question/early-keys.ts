import { readingMs } from '@parley/host/state';
import type { Clock } from '@parley/wire';

/** A terminal in raw mode, as far as it matters here. */
export interface KeySource {
  setRawMode(isRaw: boolean): unknown;
  on(event: 'data' | 'end', listener: (keys: Buffer) => void): unknown;
  off(event: 'data' | 'end', listener: (keys: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** How long keys are discarded, and what ends it early. */
export interface EarlyKeysOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Ctrl-C is never discarded. */
  readonly onInterrupt: () => void;
}

/**
 * Discards keys until there was none for as long as it takes to read. Keys that waited in the terminal, or that come while
 * this process is held up, are early as well.
 *
 * @returns whether any were discarded
 */
export function takeEarlyKeys(
  input: KeySource,
  { clock, signal, onInterrupt }: EarlyKeysOptions,
): Promise<boolean> {
  return new Promise((resolve) => {
    let wereEarly = false;
    let stop = (): void => {};
    const end = (): void => {
      stop();
      input.off('data', take);
      input.off('end', end);
      signal.removeEventListener('abort', end);
      input.pause();
      input.setRawMode(false);
      resolve(wereEarly);
    };
    const wait = (): void => {
      stop();
      let isStopped = false;
      const stopTimer = clock.after(readingMs, () => {
        // What the terminal has by now is read before this: it was typed earlier.
        setImmediate(() => {
          if (!isStopped) end();
        });
      });
      stop = () => {
        isStopped = true;
        stopTimer();
      };
    };
    const take = (keys: Buffer): void => {
      if (keys.includes(3)) {
        end();
        onInterrupt();
        return;
      }
      wereEarly = true;
      wait();
    };
    if (signal.aborted) {
      resolve(false);
      return;
    }
    input.setRawMode(true);
    input.on('data', take);
    input.on('end', end);
    input.resume();
    signal.addEventListener('abort', end, { once: true });
    wait();
  });
}
