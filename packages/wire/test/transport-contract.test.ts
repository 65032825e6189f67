import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { transportContract, type TransportEnds } from '@parley/conformance';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { memoryPair } from '../src/memory.ts';
import { streamTransport } from '../src/node/stream-transport.ts';
import { webSocketTransport } from '../src/websocket/web-socket-transport.ts';

const makers: readonly [name: string, make: () => TransportEnds | Promise<TransportEnds>][] = [
  [
    'memory',
    () => {
      const [left, right] = memoryPair();
      return { left, right };
    },
  ],
  [
    'streams',
    () => {
      const [there, back] = [new PassThrough(), new PassThrough()];
      return {
        left: streamTransport({ input: back, output: there }),
        right: streamTransport({ input: there, output: back }),
      };
    },
  ],
  ['pipes of a process', openPipes],
  ['WebSocket', openSockets],
];

describe.each(makers)('%s', (name, make) => {
  const requirements = transportContract.filter(({ needsCut }) => needsCut !== true || name === 'WebSocket');
  test.each(requirements.map((requirement) => [requirement.id, requirement.title, requirement] as const))(
    '%s: %s',
    async (_id, _title, requirement) => {
      const ends = await make();
      await expect(requirement.check(ends)).resolves.toBeUndefined();
      await Promise.all([ends.left, ends.right].map((end) => end.close({ code: 'local', message: 'done' })));
      await ends.dispose?.();
    },
  );
});

/** Two `cat` processes: real pipes in both directions, with this process at each end. */
function openPipes(): TransportEnds {
  const [there, back] = [spawn('cat'), spawn('cat')];
  return {
    left: streamTransport({ input: back.stdout, output: there.stdin }),
    right: streamTransport({ input: there.stdout, output: back.stdin }),
    async dispose() {
      for (const child of [there, back]) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) {
          await new Promise((resolve) => child.once('exit', resolve));
        }
      }
    },
  };
}

/** A WebSocket of `ws`, and its end at a server. */
async function openSockets(): Promise<TransportEnds> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const accepted = new Promise<WebSocket>((resolve) => server.once('connection', resolve));
  const client = webSocketTransport(new WebSocket(`ws://127.0.0.1:${port}`));
  return {
    left: client,
    right: webSocketTransport(await accepted),
    cut() {
      for (const socket of server.clients) socket.terminate();
    },
    async dispose() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
