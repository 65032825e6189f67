import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Where the lines of a chat come from. */
export interface LineSource {
  /** The next line; `undefined` when there is none any more, the person wants to leave, or the chat was ended. */
  next(): Promise<string | undefined>;
  /** Keeps lines that come while something else is going on, for `next`. Call what it gives back when that is over. */
  collect(onLine: () => void): () => void;
  /** A question is open: lines are its answer until what this gives back is called. */
  hold(): () => void;
  /** Throws away what was collected; gives how many lines. */
  drop(): number;
}

/** How many lines the arrow keys can bring back. */
const historySize = 500;

/** Lines that a person types, with the editing keys and what was typed before. */
export function typedLines(
  input: Readable,
  output: Writable,
  prompt: string,
  signal: AbortSignal,
): LineSource {
  let history: string[] = [];
  /** Lines that were pasted together with the one before, or collected. */
  const waiting: string[] = [];
  let onLine: (() => void) | undefined;
  let holds = 0;
  let collector: Interface | undefined;

  /** The system edits the lines meanwhile, and Ctrl-C stays the signal it is. */
  function listen(): void {
    const isWanted = onLine !== undefined && holds === 0 && !input.readableEnded && !signal.aborted;
    if (isWanted === (collector !== undefined)) return;
    if (!isWanted) {
      const before = collector;
      collector = undefined;
      before?.close();
      return;
    }
    collector = createInterface({ input, terminal: false });
    collector.on('line', (line) => {
      if (collector === undefined || line.trim() === '') return;
      waiting.push(line);
      onLine?.();
    });
  }

  return {
    collect(told) {
      onLine = told;
      listen();
      return () => {
        onLine = undefined;
        listen();
      };
    },
    hold() {
      holds += 1;
      listen();
      return () => {
        holds -= 1;
        listen();
      };
    },
    drop: () => waiting.splice(0).length,
    next() {
      const line = waiting.shift();
      if (line !== undefined) {
        output.write(`${prompt}${line}\n`);
        return Promise.resolve(line);
      }
      return new Promise((resolve) => {
        if (signal.aborted || input.readableEnded) {
          resolve(undefined);
          return;
        }
        // One interface for each line: while a turn runs the terminal is in its usual mode, and Ctrl-C a signal.
        const lines = createInterface({
          input,
          output,
          prompt,
          history,
          historySize,
          terminal: true,
          removeHistoryDuplicates: true,
        });
        const typed: string[] = [];
        const abort = (): void => {
          lines.close();
        };
        signal.addEventListener('abort', abort, { once: true });
        lines.on('history', (lately) => {
          history = lately;
        });
        lines.on('line', (text) => {
          // Further lines of the same paste follow within this tick.
          if (typed.push(text) === 1) setImmediate(abort);
        });
        lines.on('SIGINT', () => {
          if (lines.line === '') {
            abort();
            return;
          }
          output.write('^C\n');
          // What was typed is thrown away: an empty line is.
          typed.push('');
          abort();
        });
        lines.once('close', () => {
          signal.removeEventListener('abort', abort);
          const [first, ...others] = typed;
          waiting.push(...others);
          if (first === undefined) output.write('\n');
          resolve(first);
        });
        lines.prompt();
      });
    },
  };
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
    hold: () => nothing,
    drop: () => 0,
    async next() {
      if (signal.aborted) return undefined;
      const line = await Promise.race([lines.next(), aborted]);
      return line === undefined || line.done === true ? undefined : line.value;
    },
  };
}
