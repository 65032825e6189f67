import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { acceptWebSocket } from './accept-web-socket.ts';

const servers: ReturnType<typeof createServer>[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

test('a WebSocket whose client lost access ends with its close frame, and nothing more of it is heard', async () => {
  const access = new AbortController();
  const heard: string[] = [];
  let ended = (_code: number): void => {};
  const closed = new Promise<number>((resolve) => {
    ended = resolve;
  });
  const server = createServer().on('upgrade', (request, socket, head) => {
    const accept = acceptWebSocket(
      (opened) => {
        opened.on('message', (data: Buffer) => heard.push(data.toString()));
        // As for a client that is read more slowly than it sends.
        opened.once('message', () => opened.pause());
        opened.once('close', ended);
      },
      { headers: [], maxMessageBytes: 1024, signal: access.signal },
    );
    accept({ request, socket, head });
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  await once(client, 'open');
  client.send('before');
  await expect.poll(() => heard).toEqual(['before']);

  const left = once(client, 'close') as Promise<[number]>;
  client.send('unread');
  access.abort();
  client.send('after');

  expect((await left)[0]).toBe(4401);
  // 1006 if it had waited for the end of a time limit instead of the client's close frame.
  expect(await closed).toBe(4401);
  expect(heard).toEqual(['before']);
});
