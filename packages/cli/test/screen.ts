import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { cleanEnv, commandFile } from './command.ts';

/** `parley` on a terminal of its own. */
export interface Screen extends Disposable {
  /** Everything that was shown, without colours. */
  text(): string;
  /** Settles when this is shown, behind what an earlier call has seen. */
  shows(text: string): Promise<void>;
  type(keys: string): void;
  signal(name: string): void;
  readonly exited: Promise<number>;
}

export interface ScreenOptions {
  /** Gets what is written as it is. */
  readonly onData?: (data: string) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** @default 120 */
  readonly columns?: number;
}

/** Starts `parley` on a terminal. */
export function openScreen(words: readonly string[], cwd: string, options: ScreenOptions = {}): Screen {
  const { onData, env = {}, columns = 120 } = options;
  const terminal = spawn(process.execPath, [commandFile, ...words], {
    cwd,
    cols: columns,
    rows: 40,
    env: { ...cleanEnv(path.join(cwd, '.home')), TERM: 'xterm-256color', ...env },
  });
  let text = '';
  let seenUpTo = 0;
  const waiting = new Set<() => void>();
  terminal.onData((data) => {
    onData?.(data);
    text = stripVTControlCharacters(`${text}${data}`).replaceAll('\r', '');
    for (const look of waiting) look();
  });
  const exited = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode }) => {
      resolve(exitCode);
    });
  });
  return {
    text: () => text,
    exited,
    shows(wanted) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const at = text.indexOf(wanted, seenUpTo);
          if (at < 0) return;
          seenUpTo = at + wanted.length;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void exited.then(() => {
          reject(new Error(`the command ended without showing ${JSON.stringify(wanted)}:\n${text}`));
        });
      });
    },
    type(keys) {
      terminal.write(keys);
    },
    signal(name) {
      terminal.kill(name);
    },
    [Symbol.dispose]() {
      terminal.kill('SIGKILL');
    },
  };
}
