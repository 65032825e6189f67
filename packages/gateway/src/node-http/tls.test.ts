import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { testCertificate } from '@parley/conformance';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { defaultLimits, type Limits } from '../limits.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import { openHttpServer, type HttpServer } from './open-http-server.ts';

const ca = testCertificate.cert;
const open: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close({ graceMs: 0 })));
});

test('over TLS a client that supports HTTP/2 uses it', async () => {
  const { port } = await serve();
  const session = connectHttp2(`https://localhost:${String(port)}`, { ca });
  const stream = session.request({ ':method': 'POST', ':path': '/a' });
  stream.end('hello');

  expect(await text(stream)).toBe(`https://localhost:${String(port)}/a hello`);
  expect(session.alpnProtocol).toBe('h2');
  await new Promise<void>((resolve) => {
    session.close(resolve);
  });
});

test('over TLS other clients use HTTP/1.1', async () => {
  const { port } = await serve();

  const answer = await new Promise<string>((resolve, reject) => {
    request({ port, host: 'localhost', path: '/a', method: 'POST', ca, agent: false }, (incoming) => {
      text(incoming).then(resolve, reject);
    })
      .on('error', reject)
      .end('hello');
  });

  expect(answer).toBe(`https://localhost:${String(port)}/a hello`);
});

test('WebSockets work over TLS', async () => {
  const { port } = await serve();
  const socket = new WebSocket(`wss://localhost:${String(port)}/`, { ca });

  const [data] = await once(socket, 'message');

  expect(String(data)).toBe('welcome');
  socket.terminate();
});

test('over TLS a request or a handshake that is too slow is aborted', async () => {
  const { port } = await serve({ headersMs: 50 });
  const silent = connectSocket(port, '127.0.0.1').resume();
  const slow = connectTls({ port, host: 'localhost', ca, ALPNProtocols: ['http/1.1'] }).resume();
  // An aborted connection may also be reset.
  const closed = [silent, slow].map((socket) => {
    socket.on('error', () => {});
    return new Promise((resolve) => socket.once('close', resolve));
  });
  slow.write('GET / HTTP/1.1\r\nHost: loc');

  await Promise.all(closed);

  expect(slow.destroyed && silent.destroyed).toBe(true);
});

test('an idle connection of HTTP/2 is closed, and one that streams is not', async () => {
  const { port } = await serve({ idleConnectionMs: 50 });
  const idle = connectHttp2(`https://localhost:${String(port)}`, { ca });
  const closed = once(idle, 'close');
  const busy = connectHttp2(`https://localhost:${String(port)}`, { ca });
  const stream = busy.request({ ':path': '/endless' });
  await once(stream, 'response');

  await closed;

  expect(stream.closed).toBe(false);
  busy.destroy();
});

test('an HTTP/2 body that does not arrive in time is aborted', async () => {
  const { port } = await serve({ receiveMs: 50 });
  const session = connectHttp2(`https://localhost:${String(port)}`, { ca });
  const stream = session.request({ ':method': 'POST', ':path': '/' });
  stream.write('some');

  await expect(once(stream, 'close')).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');

  session.destroy();
});

async function serve(limits: Partial<Limits> = {}): Promise<HttpServer> {
  const server = await openHttpServer({
    fetch: async (incoming) =>
      incoming.url.endsWith('/endless')
        ? new Response(new ReadableStream())
        : new Response(`${incoming.url} ${await incoming.text()}`),
    upgrade: () =>
      Promise.resolve(
        acceptWebSocket(
          (socket) => {
            socket.send('welcome');
          },
          { headers: [], maxMessageBytes: 1024, signal: new AbortController().signal },
        ),
      ),
    tls: testCertificate,
    host: '127.0.0.1',
    port: 0,
    limits: { ...defaultLimits, ...limits },
    onFault: () => {},
  });
  open.push(server);
  return server;
}
