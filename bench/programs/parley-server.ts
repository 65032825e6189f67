import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A `parley serve` of the bench. */
export interface ServedParley {
  readonly origin: string;
  readonly token: string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** How `parley serve` is started. */
export interface ParleyOptions {
  /** The file of the command. */
  readonly command: string;
  /** Its configuration and its state. */
  readonly home: string;
  readonly flags: readonly string[];
}

/** Starts `parley serve` with a home of its own. */
export async function startParley({ command, home, flags }: ParleyOptions): Promise<ServedParley> {
  const token = 'parley_of_the_bench';
  const server = spawn(process.execPath, [command, 'serve', '--port', '0', '--token', token, ...flags], {
    env: { ...process.env, PARLEY_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(server, 'close');
  // A measurement that fails leaves no server behind.
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  return {
    origin: await originOf(server),
    token,
    end: async (signal = 'SIGTERM') => {
      server.kill(signal);
      await closed;
      process.off('exit', kill);
    },
  };
}

async function originOf(server: ChildProcess): Promise<string> {
  let printed = '';
  for await (const part of server.stdout ?? []) {
    printed += String(part);
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/u.exec(printed) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error('parley serve does not serve');
}
