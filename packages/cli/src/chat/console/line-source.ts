import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Takes a line that comes while a turn runs. @param isSent Whether it is to join the turn, where that is possible, instead of waiting for its end. */
export type LineListener = (line: string, isSent: boolean) => string | undefined;

/** Where the lines of a chat come from. */
export interface LineSource {
  /** The next line; `undefined` when there are no more, the user leaves, or the chat was ended. */
  next(): Promise<string | undefined>;
  /**
   * Takes lines that come while a turn runs; what `onLine` returns is there to be edited. Call what this returns when the turn
   * has ended.
   */
  collect(onLine: LineListener): () => void;
  /** Puts a text into the next line that is asked for, to be edited. */
  prefill(text: string): void;
}

/** Lines of a file or a pipe. */
export function pipedLines(input: Readable, signal: AbortSignal): LineSource {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, terminal: false })[
    Symbol.asyncIterator
  ]();
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(undefined);
    });
  });
  const nothing = (): void => {};
  return {
    // They wait in the pipe.
    collect: () => nothing,
    prefill: nothing,
    async next() {
      if (signal.aborted) return undefined;
      const line = await Promise.race([lines.next(), aborted]);
      return line === undefined || line.done === true ? undefined : line.value;
    },
  };
}
