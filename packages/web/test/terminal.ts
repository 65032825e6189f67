import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { command, type TestServer } from './serve.ts';

/** `parley` on a terminal of its own. */
export interface TestTerminal extends Disposable {
  /** Everything that was shown, without colours. */
  text(): string;
  /** Settles when this is shown, behind what an earlier call has seen. */
  shows(text: string): Promise<void>;
  type(keys: string): void;
}

/** Starts `parley` on a terminal, on the machine of the server. */
export function openTerminal({ env, workspace }: TestServer, words: readonly string[]): TestTerminal {
  const terminal = spawn(process.execPath, [command, ...words], {
    cwd: workspace,
    cols: 120,
    rows: 40,
    env: { ...env, TERM: 'xterm-256color' },
  });
  let text = '';
  let seenUpTo = 0;
  const looks = new Set<() => void>();
  terminal.onData((data) => {
    text = stripVTControlCharacters(`${text}${data}`).replaceAll('\r', '');
    for (const look of looks) look();
  });
  return {
    text: () => text,
    shows: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const at = text.indexOf(wanted, seenUpTo);
          if (at < 0) return;
          seenUpTo = at + wanted.length;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
        terminal.onExit(() => {
          reject(new Error(`the command ended without showing ${JSON.stringify(wanted)}:\n${text}`));
        });
      }),
    type: (keys) => {
      terminal.write(keys);
    },
    [Symbol.dispose]: () => {
      terminal.kill('SIGKILL');
    },
  };
}
