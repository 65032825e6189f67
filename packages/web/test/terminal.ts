import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { command, type TestServer } from './serve.ts';

/** `parley` on a terminal of its own. */
export interface TestTerminal extends Disposable {
  /** Everything that was shown, without colours. */
  text(): string;
  /** What stands on it now, line by line: what was drawn again is there once. */
  lines(): Promise<readonly string[]>;
  /** Settles when this is shown, behind what an earlier call has seen. */
  shows(text: string): Promise<void>;
  type(keys: string): void;
}

const columns = 120;
const rows = 40;

/** Starts `parley` on a terminal, on the machine of the server. */
export function openTerminal({ env, workspace }: TestServer, words: readonly string[]): TestTerminal {
  const terminal = spawn(process.execPath, [command, ...words], {
    cwd: workspace,
    cols: columns,
    rows,
    env: { ...env, TERM: 'xterm-256color' },
  });
  const drawn = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  let text = '';
  let seenUpTo = 0;
  const looks = new Set<() => void>();
  terminal.onData((data) => {
    drawn.write(data);
    text = stripVTControlCharacters(`${text}${data}`).replaceAll('\r', '');
    for (const look of looks) look();
  });
  return {
    text: () => text,
    async lines() {
      await new Promise<void>((resolve) => {
        drawn.write('', resolve);
      });
      const { active } = drawn.buffer;
      return Array.from(
        { length: active.length },
        (_, line) => active.getLine(line)?.translateToString(true) ?? '',
      );
    },
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
