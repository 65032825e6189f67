import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Fetch, RemoteAcp } from '../../src/http/index.ts';

/** `fetch` to a server in this process, without a socket. What is aborted is released, as a socket would be. */
export function fetchOf(remote: RemoteAcp): Fetch {
  return async (url, init) => {
    const { signal } = init;
    const response = await remote.handle(new Request(url, init));
    if (response.body === null || !(signal instanceof AbortSignal)) return response;
    const through = new TransformStream<Uint8Array, Uint8Array>();
    response.body.pipeTo(through.writable, { signal }).catch(() => {
      // The reader has gone, or was sent away.
    });
    return new Response(through.readable, response);
  };
}

/** A server on a port of this machine. */
export interface Listening {
  readonly url: string;
  readonly socketUrl: string;
  /** Breaks everything that is open, without a word. */
  cut(): void;
  close(): Promise<void>;
}

/** Remote ACP on a real port: HTTP/1.1 and WebSocket. */
export async function listen(remote: RemoteAcp): Promise<Listening> {
  const server = createServer((request, response) => void answer(remote, request, response));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const upgrade = remote.upgrade(toRequest(request));
    sockets.once('headers', (headers) => {
      for (const [name, value] of upgrade?.headers ?? []) headers.push(`${name}: ${value}`);
    });
    sockets.handleUpgrade(request, socket, head, (webSocket) => upgrade?.accept(webSocket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/acp`,
    socketUrl: `ws://127.0.0.1:${port}/acp`,
    cut() {
      server.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
    },
    async close() {
      await remote.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toRequest(request: IncomingMessage, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const { method = 'GET' } = request;
  const hasBody = method === 'POST';
  return new Request(`http://${request.headers.host}${request.url}`, {
    method,
    headers,
    ...(signal !== undefined && { signal }),
    ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
  });
}

async function answer(remote: RemoteAcp, request: IncomingMessage, target: ServerResponse): Promise<void> {
  const gone = new AbortController();
  target.once('close', () => gone.abort());
  const response = await remote.handle(toRequest(request, gone.signal));
  target.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    target.end();
    return;
  }
  const reader = response.body.getReader();
  gone.signal.addEventListener('abort', () => void reader.cancel());
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!target.write(value) && !gone.signal.aborted) {
      await Promise.race([once(target, 'drain'), once(target, 'close')]);
    }
  }
  target.end();
}
