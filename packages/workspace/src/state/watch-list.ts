import { lstat } from 'node:fs/promises';
import type { ListPlace } from './shared-document.ts';

/** How a list is watched. */
export interface WatchListOptions {
  /** Interval of checks of a file. A document announces its changes. */
  readonly everyMs: number;
  /** Called when the list may have changed. False: it could not be read, and is called again at the next check. Never rejects. */
  readonly onChange: () => Promise<boolean>;
}

/** A list that is watched until this is disposed of. */
export interface WatchedList extends Disposable {
  /** Checks now. Never rejects. */
  look(): Promise<void>;
}

/** Watches a list for changes from now on. */
export async function watchList(place: ListPlace, options: WatchListOptions): Promise<WatchedList> {
  if (typeof place === 'string') return watchFile(place, options);
  const { onChange } = options;
  const listening = place.listen(() => void onChange());
  return {
    look: async () => {
      // What cannot be read now stays as it is.
      await place.reread().catch(() => undefined);
      await onChange();
    },
    [Symbol.dispose]: () => {
      listening[Symbol.dispose]();
    },
  };
}

async function watchFile(file: string, { everyMs, onChange }: WatchListOptions): Promise<WatchedList> {
  let seen = await stampOf(file);
  const look = async (): Promise<void> => {
    const stamp = await stampOf(file);
    if (stamp !== seen && (await onChange())) seen = stamp;
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return {
    look,
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}

/** Distinguishes the states of a file. */
async function stampOf(file: string): Promise<string> {
  try {
    // A change of owner or mode changes `ctime`.
    const { ino, mtimeMs, ctimeMs, size } = await lstat(file);
    return [ino, mtimeMs, ctimeMs, size].join();
  } catch {
    return '';
  }
}
