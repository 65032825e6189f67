import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAapServer } from '@parley/aap/server';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { defaultLimits } from '../limits.ts';
import type { FetchHandler, UpgradeHandler } from './handler.ts';
import { openHttpServer, type HttpServer } from './open-http-server.ts';

const open: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close({ graceMs: 0 })));
});

test('requests and responses arrive unchanged', async () => {
  const { url } = await serve(async (request) =>
    Response.json(
      {
        method: request.method,
        url: request.url,
        body: await request.text(),
        kept: request.headers.get('x-a'),
      },
      { status: 201, headers: { 'x-b': 'c' } },
    ),
  );

  const answer = await fetch(`${url}/a/b?c=d`, { method: 'POST', body: 'hello', headers: { 'x-a': '1' } });

  expect(answer.status).toBe(201);
  expect(answer.headers.get('x-b')).toBe('c');
  expect(await answer.json()).toEqual({ method: 'POST', url: `${url}/a/b?c=d`, body: 'hello', kept: '1' });
});

test.each(['1.1', '2'])(
  'events of AAP arrive over HTTP/%s as they were emitted, and go on for other readers when one leaves',
  async (version) => {
    let finish: () => void = () => undefined;
    const aap = createAapServer([
      {
        info: { name: 'counter', version: '1.0.0', capabilities: { stream: { delta: {} } } },
        async run(run) {
          for (let count = 0; count < 2000; count += 1) await run.text(`${String(count)} grüße `);
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
          return { stopReason: 'end_turn' };
        },
      },
    ]);
    const { url } = await serve((request) => aap.handle(request));
    const created = await aap.handle(
      new Request(`${url}/sessions`, {
        method: 'POST',
        body: new TextEncoder().encode('{"agent":{"name":"counter"}}'),
      }),
    );
    const path = `${created.headers.get('location') ?? ''}/turns`;
    const body = '{"stream":"delta","messages":[{"role":"user","content":"count"}]}';
    const leaving = await fetch(url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const events = `${path}/${leaving.headers.get('aap-turn-id') ?? ''}/events`;
    await leaving.body?.cancel();
    await expect.poll(async () => (await aap.status()).openStreams).toBe(0);
    const staying = version === '2' ? readOverTwo(url, events) : (await fetch(url + events)).text();
    await expect.poll(async () => (await aap.status()).openStreams).toBe(1);
    finish();
    const whole = await (await aap.handle(new Request(url + events))).text();

    expect(await staying).toBe(whole);
    expect(whole).toContain('1999 grüße');
    expect(whole).toMatch(/"stopReason":"end_turn"\}\n\n$/);
  },
);

test('any texts of an agent, at any pace, arrive over HTTP as the turn is read later', async () => {
  const said: (readonly [piece: string, waits: boolean])[][] = [];
  const aap = createAapServer([
    {
      info: { name: 'speaker', version: '1.0.0', capabilities: { stream: { delta: {} } } },
      async run(run) {
        for (const [piece, waits] of said.pop() ?? []) {
          await run.text(piece);
          if (waits) await nextTurn();
        }
        return { stopReason: 'end_turn' };
      },
    },
  ]);
  const { url } = await serve((request) => aap.handle(request));
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'binary' }) },
    // More than a socket takes at once.
    fc.integer({ min: 1, max: 200_000 }).map((length) => 'x'.repeat(length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 40 }), async (texts) => {
      said.push(texts);
      const headers = { 'content-type': 'application/json' };
      const created = await fetch(`${url}/sessions`, {
        method: 'POST',
        headers,
        body: '{"agent":{"name":"speaker"}}',
      });
      const path = `${created.headers.get('location') ?? ''}/turns`;
      const body = '{"stream":"delta","messages":[{"role":"user","content":"speak"}]}';
      const streamed = await fetch(url + path, { method: 'POST', headers, body });
      const live = await streamed.text();
      const events = `${url}${path}/${streamed.headers.get('aap-turn-id') ?? ''}/events`;

      expect(live).toBe(await (await aap.handle(new Request(events))).text());
      const deltas = Array.from(live.matchAll(/^event: text_delta\ndata: ([^\n]*)/gm), ([, data]) => data);
      expect(deltas).toEqual(
        texts.filter(([each]) => each !== '').map(([delta]) => JSON.stringify({ delta })),
      );
    }),
    { numRuns: 40 },
  );
});

async function readOverTwo(url: string, path: string): Promise<string> {
  const session = connectHttp2(url);
  try {
    return await text(session.request({ ':path': path }));
  } finally {
    session.close();
  }
}

test('each cookie is a header of its own', async () => {
  const { url } = await serve(
    () =>
      new Response(null, {
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      }),
  );

  expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test('the same port speaks HTTP/2 with prior knowledge', async () => {
  const { url } = await serve(async (request) =>
    Response.json({ host: new URL(request.url).host, body: await request.text() }),
  );
  const session = connectHttp2(url);
  const stream = session.request({ ':method': 'POST', ':path': '/' });
  stream.end('over two');

  const body: unknown = JSON.parse(await text(stream));

  expect(body).toEqual({ host: new URL(url).host, body: 'over two' });
  await end(session);
});

test('an h2c upgrade offer is ignored, and the request is answered', async () => {
  const { port } = await serve(async (request) => new Response(await request.text()));
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: 5\r\n\r\nhello',
  );

  const [first] = (await once(socket, 'data')) as [Buffer];

  expect(first.toString()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello/u);
  socket.destroy();
});

test('the head of a stream comes before its first event', async () => {
  const { url } = await serve(() => new Response(new ReadableStream()));

  const answer = await fetch(url);

  expect(answer.status).toBe(200);
  await answer.body?.cancel();
});

test('a response body is read only as fast as the peer reads it', async () => {
  let pulled = 0;
  const chunk = new Uint8Array(64 * 1024);
  const { port } = await serve(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(chunk);
          },
        }),
      ),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'readable');

  const taken = await untilStill(() => pulled);

  expect(taken).toBeLessThan(1000);
  socket.destroy();
});

test('over HTTP/1 a peer that disconnects cancels the body and aborts the request', async () => {
  const { url, gone } = await serveUntilGone();

  const given = new AbortController();
  await fetch(url, { signal: given.signal });
  given.abort();

  expect(await gone).toEqual(['cancelled', 'aborted']);
});

test('over HTTP/2 a peer that disconnects cancels the body and aborts the request', async () => {
  const { url, gone } = await serveUntilGone();
  const session = connectHttp2(url);
  const stream = session.request({ ':path': '/' });
  stream.on('error', () => {});
  await once(stream, 'response');

  stream.close(8);

  expect(await gone).toEqual(['cancelled', 'aborted']);
  await end(session);
});

test('a handler that throws is a 500 without details, and is reported', async () => {
  const { url, faults } = await serve(() => {
    throw new Error('secret');
  });

  const answer = await fetch(url);

  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('secret');
  expect(faults).toMatchObject([{ message: 'secret' }]);
});

test('a body that fails aborts the response', async () => {
  const { url } = await serve(
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new Uint8Array(1));
          },
          pull: () => {
            throw new Error('lost');
          },
        }),
      ),
  );

  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow(TypeError);
});

test.each([
  ['no path', 'GET http:/x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a host that is none', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['no HTTP', 'hello\r\n\r\n'],
])('what is no request is answered 400: %s', async (_name, bytes) => {
  const { port } = await serve(() => new Response('reached'));
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);

  expect(await firstLine(socket)).toMatch(/^HTTP\/1\.1 400 /u);
});

test('a connection that sends nothing, or its head too slowly, is closed', async () => {
  const { port } = await serve(() => new Response(), { headersMs: 50 });
  const silent = connect(port, '127.0.0.1').resume();

  await once(silent, 'close');

  expect(silent.bytesRead).toBe(0);
});

test('more connections than allowed are closed as they come', async () => {
  const { port } = await serve(() => new Response(), { connections: 1 });
  const first = connect(port, '127.0.0.1');
  await once(first, 'connect');
  const second = connect(port, '127.0.0.1').resume();
  second.on('error', () => {});

  await once(second, 'close');

  expect(first.destroyed).toBe(false);
  first.destroy();
});

test('closing waits for running responses, up to its limit', async () => {
  const { url, server } = await serve(() => new Response(new ReadableStream()));
  const answer = await fetch(url);

  await server.close({ graceMs: 10 });

  await expect(answer.text()).rejects.toThrow('terminated');
});

test('a refused upgrade is answered as HTTP', async () => {
  const { port } = await serve(
    () => new Response(),
    {},
    () => Promise.resolve(Response.json({ error: 'no' }, { status: 401, headers: { 'x-a': 'b' } })),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write(upgradeRequest);

  const answer = await text(socket);

  expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*x-a: b[\s\S]*"error":"no"/u);
});

test('an upgrade after an unanswered request ends the connection, without a server error', async () => {
  const { port, faults } = await serve(() => new Promise<Response>(() => {}));
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.write(upgradeRequest);

  await text(socket).catch(() => '');

  expect(faults).toEqual([]);
});

test('an upgraded connection is no longer HTTP', async () => {
  const { port } = await serve(
    () => new Response(),
    {},
    () =>
      Promise.resolve(({ socket }) => {
        socket.end('ours');
      }),
  );
  const socket = connect(port, '127.0.0.1');
  socket.write(upgradeRequest);

  expect(await text(socket)).toBe('ours');
});

const upgradeRequest =
  'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

async function serve(
  handler: FetchHandler,
  limits: Partial<typeof defaultLimits> = {},
  upgrade: UpgradeHandler = () => Promise.resolve(new Response(null, { status: 400 })),
): Promise<{ server: HttpServer; port: number; url: string; faults: unknown[] }> {
  const faults: unknown[] = [];
  const server = await openHttpServer({
    fetch: handler,
    upgrade,
    host: '127.0.0.1',
    port: 0,
    limits: { ...defaultLimits, ...limits },
    onFault: (error) => faults.push(error),
  });
  open.push(server);
  return { server, port: server.port, url: `http://127.0.0.1:${String(server.port)}`, faults };
}

/** Serves a stream without end, and records what happened to it and to its request when the peer had gone. */
async function serveUntilGone(): Promise<{ url: string; gone: Promise<[string, string]> }> {
  let onCancel = (_word: string): void => {};
  let onAbort = (_word: string): void => {};
  const cancelled = new Promise<string>((resolve) => (onCancel = resolve));
  const aborted = new Promise<string>((resolve) => (onAbort = resolve));
  const { url } = await serve((request) => {
    request.signal.addEventListener('abort', () => {
      onAbort('aborted');
    });
    const body = new ReadableStream({
      cancel: () => {
        onCancel('cancelled');
      },
    });
    return new Response(body);
  });
  return { url, gone: Promise.all([cancelled, aborted]) };
}

/** A number once it has stopped to change. */
async function untilStill(read: () => number): Promise<number> {
  for (let before = -1; ;) {
    const now = read();
    if (now === before) return now;
    before = now;
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }
}

async function firstLine(socket: Socket): Promise<string> {
  return (await text(socket)).split('\r\n', 1)[0] ?? '';
}

async function end(session: ClientHttp2Session): Promise<void> {
  await new Promise<void>((resolve) => {
    session.close(resolve);
  });
}
