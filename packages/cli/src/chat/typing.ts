import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';

/** How long an idle line keeps the agent's output from the screen. */
const idleMs = 5000;

/** What typing needs while the agent writes on the same screen. */
export interface TypingOptions {
  readonly input: Readable;
  readonly output: Writable & { readonly columns?: number };
  readonly prompt: string;
  /** What the arrow keys bring back. */
  readonly history: string[];
  readonly historySize: number;
  /** What was typed already, and is shown again. */
  readonly draft: string;
  /** The screen understands nothing but text. */
  readonly isDumb: boolean;
  /**
   * Ends the line that is being written, and holds back what follows until what this gives back is called. `onWanted` is
   * called when it cannot be held back any longer: the line is gone from the screen then.
   */
  readonly giveWay: (onWanted: () => void) => () => void;
  /** Takes a line; what it gives back is there to be changed. */
  readonly onLine: (line: string) => string | undefined;
  readonly onHistory: (history: string[]) => void;
  /** Ctrl-C, and Ctrl-D at an empty line. */
  readonly onInterrupt: () => void;
  readonly onLeave: () => void;
}

/** Lines typed while a turn runs. Nothing is shown before the first key; then the line has the screen for itself. */
export interface Typing {
  /** Ends it; gives what was typed of a line. */
  close(): string;
}

/** Begins to take lines that are typed while something else is written. */
export function openTyping(options: TypingOptions): Typing {
  const { input, output, prompt, isDumb } = options;
  let leaveScreen: (() => void) | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** It is about to be shown. */
  let isReturning = false;
  let isClosing = false;
  /** Nothing of what the editor does is shown. */
  let isSilent = false;

  /** Shows the line, as it is by now. */
  function appear(): void {
    if (!isReturning) return;
    isReturning = false;
    leaveScreen = options.giveWay(vanish);
    stay();
    output.write(whole());
  }

  function stay(): void {
    clearTimeout(idle);
    idle = setTimeout(vanish, idleMs).unref();
  }

  /** Makes room for the others; what was typed is kept. */
  function vanish(): void {
    if (leaveScreen === undefined) return;
    const { rows } = lines.getCursorPos();
    output.write(isDumb ? '\n' : `${rows > 0 ? `\u001B[${String(rows)}A` : ''}\r\u001B[J`);
    leave();
  }

  function leave(): void {
    clearTimeout(idle);
    const release = leaveScreen;
    leaveScreen = undefined;
    release?.();
  }

  /** What the editor of the line writes. */
  const echo = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      done();
      if (isSilent || isReturning) return;
      if (leaveScreen !== undefined) {
        stay();
        output.write(text);
      } else if (!/^[\r\n]*$/u.test(text)) {
        isReturning = true;
        // The editor may write more of the same now: the line is shown when it has all of it.
        queueMicrotask(appear);
      }
    },
  });
  const lines = createInterface({
    input,
    output: Object.assign(echo, { columns: output.columns }),
    prompt,
    history: options.history,
    historySize: options.historySize,
    terminal: true,
    removeHistoryDuplicates: true,
  });
  function whole(): string {
    const behind = lines.line.length - lines.cursor;
    return `${prompt}${lines.line}${behind > 0 && !isDumb ? `\u001B[${String(behind)}D` : ''}`;
  }

  lines.on('history', options.onHistory);
  lines.on('line', (line) => {
    // One that was pasted whole has not been shown.
    if (isReturning) {
      appear();
      output.write(`${line}\n`);
    }
    leave();
    if (line.trim() === '') return;
    const draft = options.onLine(line);
    if (draft !== undefined) lines.write(draft);
  });
  lines.on('SIGINT', () => {
    vanish();
    isReturning = false;
    isSilent = true;
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    isSilent = false;
    options.onInterrupt();
  });
  lines.on('close', () => {
    if (!isClosing) options.onLeave();
  });
  if (options.draft !== '') lines.write(options.draft);
  return {
    close() {
      const draft = lines.line;
      vanish();
      isClosing = true;
      isSilent = true;
      isReturning = false;
      lines.close();
      return draft;
    },
  };
}
