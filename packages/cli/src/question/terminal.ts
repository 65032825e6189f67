import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Where a person is asked. */
export interface Terminal {
  show(text: string): void;
  /** Asks for one line; `undefined` when there is none: the input ended, or the answer is not wanted any more. */
  ask(prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Asks on a terminal whose lines the system edits. The input is read only while a question is open, and Ctrl-C
 * stays the signal it is.
 */
export function createTerminal(input: Readable, output: Writable): Terminal {
  return {
    show(text) {
      output.write(text);
    },
    ask(prompt, signal) {
      return new Promise((resolve) => {
        if (signal.aborted || input.readableEnded) {
          resolve(undefined);
          return;
        }
        output.write(prompt);
        const lines = createInterface({ input, terminal: false });
        let answer: string | undefined;
        const close = (): void => {
          lines.close();
        };
        signal.addEventListener('abort', close, { once: true });
        lines.once('line', (line) => {
          answer = line;
          close();
        });
        lines.once('close', () => {
          signal.removeEventListener('abort', close);
          if (answer === undefined) output.write('\n');
          resolve(answer);
        });
      });
    },
  };
}
