import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { PromptQueue } from './prompt-queue.ts';
import { openTyping, type Typing, type TypingOptions } from './typing.ts';

/** Where the lines of a chat come from. */
export interface LineSource {
  /** The next line; `undefined` when there is none any more, the user wants to leave, or the chat was ended. */
  next(): Promise<string | undefined>;
  /**
   * Takes lines that come while something else is going on; what `onLine` gives back is there to be changed. Call what it
   * gives back when that is over.
   */
  collect(onLine: TypingOptions['onLine']): () => void;
  /** Puts a text into the next line that is asked for, to be changed. */
  prefill(text: string): void;
  /** A question is open: what is typed is its answer until what this gives back is called. */
  hold(): () => void;
  /**
   * Something is to be shown where the next line is being typed: it is gone from the screen, and comes back, when what this
   * gives back is called.
   */
  pause(): () => void;
}

/** How many lines the arrow keys can bring back. */
const historySize = 500;

/** What the user types on, and what waits to be sent. */
export interface TypedLinesOptions extends Pick<TypingOptions, 'output' | 'prompt' | 'isDumb' | 'giveWay'> {
  /** Lines that are taken before more are asked for. */
  readonly queue: PromptQueue;
  readonly signal: AbortSignal;
}

/** Lines that the user types, with the editing keys and what was typed before. */
export function typedLines(
  input: Readable,
  { output, prompt, isDumb, giveWay, queue, signal }: TypedLinesOptions,
): LineSource {
  let history: string[] = [];
  let onLine: TypingOptions['onLine'] | undefined;
  let holds = 0;
  let typing: Typing | undefined;
  /** What was typed of a line when the screen was needed for something else. */
  let draft = '';
  let hasLeft = false;
  let pauses = 0;
  /** The line that is being asked for. */
  let asking: { open(): void; close(): void } | undefined;

  function listen(): void {
    const isWanted =
      onLine !== undefined && holds === 0 && !hasLeft && !input.readableEnded && !signal.aborted;
    if (isWanted === (typing !== undefined)) return;
    if (!isWanted) {
      draft = typing?.close() ?? '';
      typing = undefined;
      return;
    }
    const before = draft;
    draft = '';
    typing = openTyping({
      input,
      output,
      prompt,
      isDumb,
      giveWay,
      history,
      historySize,
      draft: before,
      onLine: (line) => onLine?.(line),
      onHistory: (lately) => {
        history = lately;
      },
      // The terminal is ours then, and so is Ctrl-C: it is passed on as what it usually is.
      onInterrupt: () => {
        process.kill(process.pid, 'SIGINT');
      },
      onLeave: () => {
        hasLeft = true;
        typing = undefined;
      },
    });
  }

  function pause(): () => void {
    pauses += 1;
    asking?.close();
    return () => {
      pauses -= 1;
      if (pauses === 0) asking?.open();
    };
  }

  return {
    collect(take) {
      onLine = take;
      listen();
      return () => {
        onLine = undefined;
        listen();
      };
    },
    hold() {
      holds += 1;
      const resume = pause();
      listen();
      return () => {
        holds -= 1;
        listen();
        resume();
      };
    },
    pause,
    prefill(text) {
      draft = text;
    },
    next() {
      return new Promise((resolve) => {
        const settle = (line: string | undefined): void => {
          asking = undefined;
          signal.removeEventListener('abort', leave);
          resolve(line);
        };
        const leave = (): void => {
          settle(undefined);
        };
        let lines: Interface | undefined;
        asking = {
          close() {
            draft = lines?.line ?? draft;
            const closing = lines;
            lines = undefined;
            closing?.close();
            if (closing !== undefined) output.write(isDumb ? '\n' : '\r\u001b[K');
          },
          open() {
            const line = queue.shift();
            if (line !== undefined) {
              output.write(`${prompt}${line}\n`);
              settle(line);
            } else if (signal.aborted || input.readableEnded || hasLeft) {
              leave();
            } else {
              lines = ask((typed) => {
                // A line that was ended as the pause began counts.
                if (lines !== undefined || typed !== undefined) settle(typed);
              });
            }
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        if (pauses === 0) asking.open();
      });
    },
  };

  /** One interface for each line: while a turn runs the terminal is in its usual mode, and Ctrl-C a signal. */
  function ask(onEnd: (line: string | undefined) => void): Interface {
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
      for (const other of others) queue.add(other);
      if (first === undefined && pauses === 0) output.write('\n');
      onEnd(first);
    });
    lines.prompt();
    if (draft !== '') lines.write(draft);
    draft = '';
    return lines;
  }
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
    pause: () => nothing,
    prefill: nothing,
    async next() {
      if (signal.aborted) return undefined;
      const line = await Promise.race([lines.next(), aborted]);
      return line === undefined || line.done === true ? undefined : line.value;
    },
  };
}
