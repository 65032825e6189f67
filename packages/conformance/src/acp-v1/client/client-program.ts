import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { startProcess } from '@parley/workspace';

/** What an agent that a client has started reads and writes. */
export interface AgentStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Interrupts the client, as its user does with Ctrl-C. */
  readonly interrupt: () => void;
}

/** How clients under test are started. */
export interface ClientProgram {
  /** Runs the client once. Returns whether it exited by itself in time; all its processes have then ended. */
  run(options: {
    /** Called with the streams of each agent that the client starts. */
    readonly onAgent: (streams: AgentStreams) => void;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<boolean>;
}

/** A client command. `{agent}` in its words is replaced by the absolute path of the agent that it has to start. */
export function clientProgram(
  command: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> },
): ClientProgram {
  return {
    async run({ onAgent, timeoutMs, signal }) {
      const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-check-')));
      const isWindows = process.platform === 'win32';
      const pipe = `\\\\.\\pipe\\${folder.replaceAll(/\W/gu, '-')}`;
      const socket = isWindows ? pipe : join(folder, 's');
      let interrupt = (): void => undefined;
      const server = createServer((connection) =>
        onAgent({ input: connection, output: connection, interrupt: () => interrupt() }),
      );
      try {
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject).listen(socket, resolve);
        });
        const agent = await writeAgent(folder, socket);
        const [file = '', ...args] = command.map((word) => word.replaceAll('{agent}', agent));
        const client = await startProcess({ command: file, args, input: 'ignore', ...options });
        client.stdout.resume();
        client.stderr.resume();
        interrupt = () => interruptProcess(client.pid);
        const kill = (): void => client.kill();
        signal?.addEventListener('abort', kill, { once: true });
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          void client.end();
        }, timeoutMs);
        await client.closed;
        clearTimeout(timer);
        signal?.removeEventListener('abort', kill);
        return !isLate;
      } finally {
        server.close();
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

/** The client alone, and not what it started, as most terminals' clients have their agents in groups of their own. */
function interruptProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It has ended.
  }
}

/** Writes a program that connects its standard input and output with us. */
async function writeAgent(folder: string, socket: string): Promise<string> {
  const relay = join(folder, 'relay.mjs');
  await writeFile(relay, relayProgram);
  const words = [process.execPath, relay, socket];
  if (process.platform === 'win32') {
    const file = join(folder, 'agent.cmd');
    await writeFile(file, `@${words.map((word) => `"${word}"`).join(' ')}\r\n`);
    return file;
  }
  const file = join(folder, 'agent');
  const line = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  await writeFile(file, `#!/bin/sh\nexec ${line}\n`, { mode: 0o700 });
  return file;
}

const relayProgram = `import { connect } from 'node:net';
const socket = connect(process.argv[2]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('error', () => process.exit(1)).on('close', () => process.exit(0));
`;
