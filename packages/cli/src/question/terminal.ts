import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { systemClock, type Clock } from '@parley/wire';
import { inheritedVariables, toLaunch, type ProcessOptions } from '@parley/workspace';
import { toPlainLine } from '../output/plain.ts';
import { takeEarlyKeys } from './early-keys.ts';

/** Where the user is asked. */
export interface Terminal {
  /** How many columns a line has. */
  readonly columns: number;
  show(text: string): void;
  /**
   * Shows a question, and discards what is typed before it could be read: until nothing was typed for 0.4 s. Settles when
   * an answer may be asked for.
   */
  present(text: string, signal: AbortSignal): Promise<void>;
  /** Asks for one line; `undefined` when there is none: the input ended, or the answer is no longer needed. */
  ask(prompt: string, signal: AbortSignal): Promise<string | undefined>;
  /** The same, and a single key is enough: it comes without the Enter. @param isAnswer Which keys mean something. */
  askKey(
    prompt: string,
    isAnswer: (key: string) => boolean,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** The same, and what is typed is not shown. */
  askSecret(prompt: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Gives the terminal to a command until it ends.
   *
   * @returns whether it ended with status 0
   */
  run(command: TerminalCommand, signal: AbortSignal): Promise<boolean>;
}

/** A command that the user talks with. */
export type TerminalCommand = Pick<ProcessOptions, 'command' | 'args' | 'env' | 'cwd'>;

/** How many columns to assume where the terminal does not report them. */
const usualColumns = 80;

/**
 * Asks on a terminal whose lines the system edits. The input is read only while a question is open, and Ctrl-C
 * stays the signal it is.
 */
export function createTerminal(
  input: Readable,
  output: Writable & { readonly columns?: number },
  clock: Clock = systemClock,
): Terminal {
  return {
    get columns() {
      return output.columns ?? usualColumns;
    },
    show(text) {
      output.write(text);
    },
    async present(text, signal) {
      output.write(text);
      if (!(input instanceof ReadStream)) return;
      const wereEarly = await takeEarlyKeys(input, { clock, signal, onInterrupt: interrupt });
      if (wereEarly) output.write('  (Keys pressed too early were ignored.)\n');
    },
    ask(prompt, signal) {
      return askLine(prompt, signal, { input, output, isSecret: false });
    },
    askKey(prompt, _isAnswer, signal) {
      return input instanceof ReadStream
        ? readKey(prompt, signal, { input, output })
        : askLine(prompt, signal, { input, output, isSecret: false });
    },
    askSecret(prompt, signal) {
      return askLine(prompt, signal, { input, output, isSecret: true });
    },
    run: runCommand,
  };
}

function readKey(
  prompt: string,
  signal: AbortSignal,
  { input, output }: { readonly input: ReadStream; readonly output: Writable },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted || input.readableEnded) {
      resolve(undefined);
      return;
    }
    let hasEnded = false;
    const end = (answer: string | undefined): void => {
      hasEnded = true;
      input.off('data', take);
      input.off('end', dismiss);
      signal.removeEventListener('abort', dismiss);
      input.pause();
      input.setRawMode(false);
      output.write(`${answer ?? ''}\n`);
      resolve(answer);
    };
    const dismiss = (): void => {
      end(undefined);
    };
    const take = (chunk: Buffer): void => {
      const keys = chunk.toString();
      if (keys.includes(ctrlC)) {
        interrupt();
        if (!hasEnded) dismiss();
      } else if (keys.startsWith('\u0004')) {
        dismiss();
      } else if (keys === '\u001b') {
        end('');
      } else if (!keys.startsWith('\u001b')) {
        // What came at once, pasted or typed over a slow line, is one answer.
        end(toPlainLine(keys));
      }
    };
    input.setRawMode(true);
    input.on('data', take);
    input.resume();
    input.once('end', dismiss);
    signal.addEventListener('abort', dismiss, { once: true });
    output.write(prompt);
  });
}

/** Ctrl-C as a terminal in raw mode sends it. */
const ctrlC = '\u0003';

/**
 * Raises SIGINT, and runs its listeners now: the turn is cancelled before its question closes. A question that closes without
 * an answer would mean no, and the agent would continue with it.
 */
export function interrupt(): void {
  if (process.listenerCount('SIGINT') > 0) process.emit('SIGINT', 'SIGINT');
  else process.kill(process.pid, 'SIGINT');
}

/** Ctrl-Z: the shell has the terminal until this process continues. */
export function stopProcess(resume: () => void): void {
  process.once('SIGCONT', resume);
  process.kill(process.pid, 'SIGTSTP');
}

interface LineOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly isSecret: boolean;
}

function askLine(
  prompt: string,
  signal: AbortSignal,
  { input, output, isSecret }: LineOptions,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted || input.readableEnded) {
      resolve(undefined);
      return;
    }
    // What is edited by us is echoed by us alone: from before the question can be seen.
    const lines = createInterface(
      isSecret ? { input, output: nowhere(), terminal: true, historySize: 0 } : { input, terminal: false },
    );
    output.write(prompt);
    let answer: string | undefined;
    const close = (): void => {
      lines.close();
    };
    signal.addEventListener('abort', close, { once: true });
    lines.once('line', (line) => {
      answer = line;
      close();
    });
    lines.on('SIGINT', () => {
      interrupt();
      close();
    });
    lines.once('close', () => {
      signal.removeEventListener('abort', close);
      if (answer === undefined || isSecret) output.write('\n');
      resolve(answer);
    });
  });
}

function nowhere(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
}

/** In our own process group, which the terminal talks to: so Ctrl-C reaches both. */
export async function runCommand(wanted: TerminalCommand, signal: AbortSignal): Promise<boolean> {
  const { env, cwd } = wanted;
  const { command, args, isVerbatim } = await toLaunch(wanted);
  return new Promise((resolve, reject) => {
    // Standard output is for what this command prints: the user looks at standard error.
    const child = spawn(command, args, {
      cwd,
      env: { ...inheritedVariables(), ...env },
      stdio: [0, 2, 2],
      signal,
      windowsVerbatimArguments: isVerbatim,
    });
    child.once('error', (error) => {
      // Node ends it at the signal; its end is then what it came to.
      if (signal.aborted) resolve(false);
      else reject(error);
    });
    child.once('close', (status) => {
      resolve(status === 0);
    });
  });
}
