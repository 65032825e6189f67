import { manualClock } from '@parley/conformance';
import {
  connect,
  FrameFault,
  RpcError,
  type CloseReason,
  type Connection,
  type ConnectionOptions,
} from '@parley/wire';
import { EventReader } from '@parley/wire/sse';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRemoteAcp, type RemoteAcp, type RemoteAcpOptions } from '../../src/http/index.ts';

const address = 'http://parley.test/acp';

/** A server whose agents do what a test says. */
function open(
  agent: ConnectionOptions = {},
  options: Omit<RemoteAcpOptions, 'accept'> = {},
): { readonly remote: RemoteAcp; readonly agents: Connection[] } {
  const agents: Connection[] = [];
  const remote = createRemoteAcp({
    accept: (transport) => {
      const { onRequest, ...rest } = agent;
      agents.push(
        connect(transport, {
          ...rest,
          onRequest: (method, params, context) =>
            method === 'initialize' ? initialized : onRequest?.(method, params, context),
        }),
      );
    },
    ...options,
  });
  onTestFinished(() => remote.close());
  return { remote, agents };
}

const initialized = { protocolVersion: 1, agentCapabilities: { loadSession: true } };
const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } };

interface Ask {
  readonly connection?: string;
  readonly session?: string;
  readonly headers?: Record<string, string>;
}

function headersOf({ connection, session, headers }: Ask): Record<string, string> {
  return {
    ...(connection !== undefined && { 'Acp-Connection-Id': connection }),
    ...(session !== undefined && { 'Acp-Session-Id': session }),
    ...headers,
  };
}

function post(remote: RemoteAcp, message: unknown, ask: Ask = {}): Promise<Response> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const headers = { 'Content-Type': 'application/json', ...headersOf(ask) };
  return remote.handle(new Request(address, { method: 'POST', headers, body }));
}

function get(remote: RemoteAcp, ask: Ask = {}): Promise<Response> {
  return remote.handle(new Request(address, { headers: { Accept: 'text/event-stream', ...headersOf(ask) } }));
}

async function initialize(remote: RemoteAcp): Promise<string> {
  const response = await post(remote, hello);
  expect(response.status).toBe(200);
  return response.headers.get('Acp-Connection-Id') ?? '';
}

/** The messages of a stream, one after the other. */
async function* messagesOf({ body }: Response): AsyncGenerator {
  const events = new EventReader();
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    for (const event of events.push(read.value)) {
      if (event instanceof FrameFault) throw new Error(event.code);
      yield JSON.parse(event.data);
    }
  }
}

async function next(messages: AsyncGenerator): Promise<unknown> {
  return (await messages.next()).value;
}

describe('the table of statuses', () => {
  test('initialize returns 200 with JSON and a connection id', async () => {
    const { remote } = open();
    const response = await post(remote, hello);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Acp-Connection-Id')).toMatch(/^[\w-]{36}$/);
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 0, result: initialized });
  });

  test('other messages return 202 without a body, and the response is on a stream', async () => {
    const { remote } = open({ onRequest: () => ({ sessionId: 's' }) });
    const connection = await initialize(remote);
    const messages = messagesOf(await get(remote, { connection }));
    const response = await post(
      remote,
      { jsonrpc: '2.0', id: 1, method: 'session/new', params: {} },
      { connection },
    );
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(await next(messages)).toEqual({ jsonrpc: '2.0', id: 1, result: { sessionId: 's' } });
  });

  const message = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } };

  test.each<[string, number, unknown, (connection: string) => Ask]>([
    ['no connection id', 400, message, () => ({ session: 's' })],
    ['an unknown connection id', 404, message, () => ({ connection: 'x', session: 's' })],
    ['a message of a session without its id', 400, message, (connection) => ({ connection })],
    ['the id of another session', 400, message, (connection) => ({ connection, session: 't' })],
    ['a batch', 501, [message], (connection) => ({ connection, session: 's' })],
    ['an empty batch', 501, [], (connection) => ({ connection })],
    ['no JSON', 400, '{', (connection) => ({ connection })],
    ['a bare string', 400, '"x"', (connection) => ({ connection })],
    ['initialize without an id', 400, { ...hello, id: undefined }, () => ({})],
    ['initialize with the id null', 400, { ...hello, id: null }, () => ({})],
    [
      'initialize with an Accept without JSON',
      406,
      hello,
      () => ({ headers: { Accept: 'text/event-stream' } }),
    ],
    [
      'another content type',
      415,
      message,
      (connection) => ({ connection, headers: { 'Content-Type': 'text/plain' } }),
    ],
    [
      'a content type with parameters',
      202,
      message,
      (connection) => ({
        connection,
        session: 's',
        headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
      }),
    ],
  ])('POST with %s is %d', async (_what, status, body, ask) => {
    const { remote } = open();
    const connection = await initialize(remote);
    const response = await post(remote, body, ask(connection));
    expect(response.status).toBe(status);
  });

  test.each<[string, number, (connection: string) => Ask]>([
    ['no connection id', 400, () => ({})],
    ['an unknown connection id', 404, () => ({ connection: 'x' })],
    [
      'an Accept that wants no stream',
      406,
      (connection) => ({ connection, headers: { Accept: 'application/json' } }),
    ],
    [
      'an upgrade that cannot happen here',
      426,
      (connection) => ({ connection, headers: { Upgrade: 'websocket' } }),
    ],
  ])('GET with %s is %d', async (_what, status, ask) => {
    const { remote } = open();
    const response = await get(remote, ask(await initialize(remote)));
    expect(response.status).toBe(status);
  });

  test('a stream has one reader: a second one is 409, until the first disconnects', async () => {
    const { remote } = open();
    const connection = await initialize(remote);
    const first = await get(remote, { connection });
    expect(first.headers.get('Content-Type')).toBe('text/event-stream');
    expect((await get(remote, { connection })).status).toBe(409);
    await first.body?.cancel();
    expect((await get(remote, { connection })).status).toBe(200);
  });

  test('DELETE is 202 and ends everything; without an id it is 400, with an unknown one 404', async () => {
    const { remote, agents } = open();
    const connection = await initialize(remote);
    const stream = messagesOf(await get(remote, { connection }));
    const end = (ask: Ask): Promise<Response> =>
      remote.handle(new Request(address, { method: 'DELETE', headers: headersOf(ask) }));
    expect((await end({})).status).toBe(400);
    expect((await end({ connection: 'x' })).status).toBe(404);
    expect((await end({ connection })).status).toBe(202);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(await agents[0]?.closed).toMatchObject({ code: 'end-of-input' });
    expect((await post(remote, message, { connection, session: 's' })).status).toBe(404);
    expect((await end({ connection })).status).toBe(404);
    expect(remote.connections).toBe(0);
  });

  test('another method is 405, with the allowed methods', async () => {
    const { remote } = open();
    const response = await remote.handle(new Request(address, { method: 'PUT' }));
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, GET, DELETE']);
  });

  test('a message that is too long is 413, with or without a declared length', async () => {
    const { remote } = open({}, { limits: { maxMessageBytes: 200 } });
    const connection = await initialize(remote);
    const long = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(300) } };
    expect((await post(remote, long, { connection })).status).toBe(413);
    expect((await post(remote, long, { connection, headers: { 'Content-Length': '300' } })).status).toBe(413);
  });
});

describe('routing', () => {
  const ask = (id: number, method: string, sessionId: string): object => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { sessionId },
  });

  test('messages about a session are on its stream, also before it is open', async () => {
    const { remote } = open({
      onRequest: async (method, _params, { connection }) => {
        if (method === 'session/new') return { sessionId: 'a' };
        await connection.notify('session/update', { sessionId: 'a', n: 1 });
        return { stopReason: 'end_turn' };
      },
    });
    const connection = await initialize(remote);
    await post(remote, ask(1, 'session/prompt', 'a'), { connection, session: 'a' });
    const session = messagesOf(await get(remote, { connection, session: 'a' }));
    expect(await next(session)).toMatchObject({ method: 'session/update', params: { n: 1 } });
    expect(await next(session)).toEqual({ jsonrpc: '2.0', id: 1, result: { stopReason: 'end_turn' } });
  });

  test("the response to load is on the connection's stream, its replay on the session's", async () => {
    const { remote } = open({
      onRequest: async (_method, _params, { connection }) => {
        await connection.notify('session/update', { sessionId: 'a', n: 1 });
        return {};
      },
    });
    const connection = await initialize(remote);
    const own = messagesOf(await get(remote, { connection }));
    const session = messagesOf(await get(remote, { connection, session: 'a' }));
    await post(remote, ask(1, 'session/load', 'a'), { connection, session: 'a' });
    expect(await next(session)).toMatchObject({ method: 'session/update' });
    expect(await next(own)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  test('a response to a request about a session must name the session', async () => {
    const { remote, agents } = open();
    const connection = await initialize(remote);
    const session = messagesOf(await get(remote, { connection, session: 'a' }));
    const asked = agents[0]?.request('session/request_permission', { sessionId: 'a' });
    expect(await next(session)).toMatchObject({ id: 1, method: 'session/request_permission' });
    const answer = { jsonrpc: '2.0', id: 1, result: { outcome: 'x' } };
    expect((await post(remote, answer, { connection })).status).toBe(400);
    expect((await post(remote, answer, { connection, session: 'b' })).status).toBe(400);
    expect((await post(remote, answer, { connection, session: 'a' })).status).toBe(202);
    expect(await asked).toEqual({ outcome: 'x' });
  });

  test('a cancellation follows its request', async () => {
    const { remote, agents } = open();
    const connection = await initialize(remote);
    const session = messagesOf(await get(remote, { connection, session: 'a' }));
    const cancel = new AbortController();
    const asked = agents[0]?.request(
      'session/request_permission',
      { sessionId: 'a' },
      { signal: cancel.signal },
    );
    await next(session);
    cancel.abort();
    await expect(asked).rejects.toMatchObject({ code: -32800 });
    expect(await next(session)).toMatchObject({ method: '$/cancel_request', params: { requestId: 1 } });
  });

  test('the stream of a closed session ends, and can be opened again', async () => {
    const { remote } = open({ onRequest: () => ({}) });
    const connection = await initialize(remote);
    const session = messagesOf(await get(remote, { connection, session: 'a' }));
    await post(remote, ask(1, 'session/close', 'a'), { connection, session: 'a' });
    expect(await next(session)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await get(remote, { connection, session: 'a' })).status).toBe(200);
    expect(await session.next()).toMatchObject({ done: true });
  });

  test('unknown sessions are 404 if the agent cannot load or resume', async () => {
    const remote = createRemoteAcp({
      accept: (transport) => {
        connect(transport, {
          onRequest: (method) => (method === 'initialize' ? { protocolVersion: 1 } : { sessionId: 'a' }),
        });
      },
    });
    onTestFinished(() => remote.close());
    const connection = await initialize(remote);
    expect((await get(remote, { connection, session: 'a' })).status).toBe(404);
    await post(remote, { jsonrpc: '2.0', id: 1, method: 'session/new', params: {} }, { connection });
    await next(messagesOf(await get(remote, { connection })));
    expect((await get(remote, { connection, session: 'a' })).status).toBe(200);
    expect((await get(remote, { connection, session: 'b' })).status).toBe(404);
  });

  test('a thousand sessions have their streams on one connection, and one more than the limit is 429', async () => {
    const { remote, agents } = open({}, { limits: { sessionStreams: 1000 } });
    const connection = await initialize(remote);
    const names = Array.from({ length: 1000 }, (_, index) => `s${index}`);
    const streams = await Promise.all(
      names.map(async (session) => messagesOf(await get(remote, { connection, session }))),
    );
    expect((await get(remote, { connection, session: 'more' })).status).toBe(429);
    for (const sessionId of names) await agents[0]?.notify('session/update', { sessionId });
    const firsts = await Promise.all(streams.map(next));
    expect(firsts).toEqual(
      names.map((sessionId) => ({ jsonrpc: '2.0', method: 'session/update', params: { sessionId } })),
    );
  });
});

describe('bounds', () => {
  test('a client that reads nothing makes the agent wait', async () => {
    const { remote, agents } = open({}, { limits: { unreadSoft: 1000 } });
    const connection = await initialize(remote);
    const [agent] = agents;
    let sent = 0;
    const flood = (async () => {
      for (; sent < 300; sent++) {
        await agent?.notify('session/update', { sessionId: 'a', text: 'x'.repeat(1000) });
      }
    })();
    await expect.poll(() => sent).toBeGreaterThan(0);
    const before = sent;
    expect(before).toBeLessThan(300);
    const session = messagesOf(await get(remote, { connection, session: 'a' }));
    for (let index = 0; index < 300; index++) await next(session);
    await flood;
  });

  test('waiting messages for a slow agent are limited: one more is 503', async () => {
    let proceed = (): void => {};
    const slow = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const { remote } = open(
      { onNotification: () => slow, limits: { queuedMessages: 0 } },
      { limits: { waitingPosts: 2 } },
    );
    const connection = await initialize(remote);
    const send = (): Promise<Response> =>
      post(remote, { jsonrpc: '2.0', method: 'x', params: {} }, { connection });
    const first = [await send(), await send()];
    const waiting = [send(), send()];
    const refused = await send();
    proceed();
    expect([...first, ...(await Promise.all(waiting)), refused].map(({ status }) => status)).toEqual([
      202, 202, 202, 202, 503,
    ]);
    expect(refused.headers.get('Retry-After')).toBe('1');
  });

  test('pending requests are limited: one more is 503; responses never are', async () => {
    const { remote, agents } = open(
      { onRequest: () => new Promise(() => {}) },
      { limits: { openRequests: 2 } },
    );
    const connection = await initialize(remote);
    const ask = async (id: number): Promise<number> =>
      (await post(remote, { jsonrpc: '2.0', id, method: 'x', params: {} }, { connection })).status;
    expect([await ask(1), await ask(2), await ask(3)]).toEqual([202, 202, 503]);
    const asked = agents[0]?.request('y', {});
    const answer = { jsonrpc: '2.0', id: 1, result: 'taken' };
    expect((await post(remote, answer, { connection })).status).toBe(202);
    expect(await asked).toBe('taken');
  });

  test('more connections than the limit are 503', async () => {
    const { remote } = open({}, { limits: { connections: 1 } });
    await initialize(remote);
    expect((await post(remote, hello)).status).toBe(503);
    expect(remote.upgrade(new Request(address))).toBeUndefined();
  });

  test('a connection without a stream is ended after a while, one with a stream is not', async () => {
    const clock = manualClock();
    const { remote, agents } = open({}, { clock, limits: { idleMs: 1000 } });
    const connection = await initialize(remote);
    const response = await get(remote, { connection });
    clock.advance(10_000);
    expect(remote.connections).toBe(1);
    await response.body?.cancel();
    clock.advance(999);
    expect(remote.connections).toBe(1);
    clock.advance(1);
    expect(remote.connections).toBe(0);
    expect(await agents[0]?.closed).toEqual({
      code: 'failed',
      message: 'the client had no stream open for 1000 ms',
    });
    expect((await get(remote, { connection })).status).toBe(404);
  });

  test('a quiet stream carries comments', async () => {
    const clock = manualClock();
    const { remote } = open({}, { clock, limits: { heartbeatMs: 100 } });
    const connection = await initialize(remote);
    const { body } = await get(remote, { connection });
    const reader = body?.getReader();
    const decode = ({ value }: { readonly value?: Uint8Array } = {}): string =>
      new TextDecoder().decode(value);
    expect(decode(await reader?.read())).toBe(':\n\n');
    const heartbeat = reader?.read();
    clock.advance(100);
    expect(decode(await heartbeat)).toBe(':\n\n');
    await reader?.cancel();
  });
});

describe('any input', () => {
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      JSON.stringify(hello),
      '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s"}}',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}',
      '{"jsonrpc":"2.0","id":{},"result":1}',
      '{"__proto__":{"method":"initialize"},"id":1}',
      '[]',
    ),
  );
  const header = fc.constantFrom(
    'Accept',
    'Acp-Connection-Id',
    'Acp-Session-Id',
    'Content-Type',
    'Content-Length',
    'Last-Event-ID',
    'traceparent',
    'Upgrade',
  );
  const value = fc.constantFrom(
    '',
    'open',
    'unknown',
    's',
    'application/json',
    'text/event-stream',
    'websocket',
    '-1',
    'NaN',
  );

  test('is answered without a server error', async () => {
    const { remote } = open({ onRequest: () => ({}) });
    const connection = await initialize(remote);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'),
        fc.array(fc.tuple(header, value), { maxLength: 5 }),
        text,
        fc.boolean(),
        async (method, fields, body, isJson) => {
          const headers = new Headers(isJson ? { 'Content-Type': 'application/json' } : {});
          for (const [name, given] of fields) {
            // The connection stays open for the next one.
            const isKept = given === 'open' && method !== 'DELETE';
            headers.set(name, isKept ? connection : given);
          }
          const hasBody = method !== 'GET' && method !== 'HEAD';
          const response = await remote.handle(
            new Request(address, { method, headers, ...(hasBody && { body }) }),
          );
          expect([200, 202, 400, 404, 405, 406, 409, 413, 415, 426, 501]).toContain(response.status);
          await response.body?.cancel();
        },
      ),
      { numRuns: 2000 },
    );
    const answer = messagesOf(await get(remote, { connection, session: 'after' }));
    await post(remote, ask(77_777), { connection, session: 'after' });
    expect(await next(answer)).toEqual({ jsonrpc: '2.0', id: 77_777, result: {} });
  });

  function ask(id: number): object {
    return { jsonrpc: '2.0', id, method: 'session/prompt', params: { sessionId: 'after' } };
  }
});

describe('accepting', () => {
  test('messages of the client wait for a slow agent', async () => {
    let start = (): void => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const remote = createRemoteAcp({
      async accept(transport) {
        await started;
        connect(transport, { onRequest: () => initialized });
      },
    });
    onTestFinished(() => remote.close());
    const response = post(remote, hello);
    start();
    expect((await response).status).toBe(200);
  });

  test('a rejected request returns the error message, and no other detail', async () => {
    const refusing = (error: Error): RemoteAcp =>
      createRemoteAcp({
        accept() {
          throw error;
        },
      });
    const refused = await post(refusing(new RpcError(-32000, 'Sign in first')), hello);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { jsonrpc: '2.0', id: 0, error: { code: -32000, message: 'Sign in first' } },
    ]);
    const failed = await post(refusing(new Error('spawn /secret/path ENOENT')), hello);
    expect(await failed.json()).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
  });

  test('an agent that disconnects silently is 502, and nothing is left', async () => {
    const remote = createRemoteAcp({
      accept: (transport) => void transport.close({ code: 'local', message: 'gone' }),
    });
    expect((await post(remote, hello)).status).toBe(502);
    expect(remote.connections).toBe(0);
  });

  test('an agent that rejects initialize responds with 200, and the connection ends', async () => {
    const remote = createRemoteAcp({
      accept: (transport) =>
        void connect(transport, {
          onRequest: () => {
            throw new RpcError(-32022, 'Unsupported version');
          },
        }),
    });
    const response = await post(remote, hello);
    expect([response.status, response.headers.get('Acp-Connection-Id')]).toEqual([200, null]);
    expect(await response.json()).toMatchObject({ id: 0, error: { code: -32022 } });
    expect(remote.connections).toBe(0);
  });

  test('an unresponsive agent is terminated, and so is that of a client that does not wait', async () => {
    const clock = manualClock();
    const ends: CloseReason[] = [];
    const remote = createRemoteAcp({
      accept: (transport) => {
        transport.start({ receive: () => undefined, close: (reason) => void ends.push(reason) });
      },
      clock,
      limits: { initializeMs: 1000 },
    });
    const late = post(remote, hello);
    await expect.poll(() => remote.connections).toBe(1);
    clock.advance(1000);
    expect((await late).status).toBe(502);
    const leaving = new AbortController();
    const left = remote.handle(
      new Request(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(hello),
        signal: leaving.signal,
      }),
    );
    await expect.poll(() => remote.connections).toBe(1);
    leaving.abort();
    await left;
    await expect.poll(() => ends.length).toBe(2);
    expect(remote.connections).toBe(0);
  });

  test('the trace context of a request reaches the agent, and comes back', async () => {
    const seen: unknown[] = [];
    const { remote } = open({
      onRequest: (_method, params) => {
        seen.push(params);
        return {};
      },
    });
    const connection = await initialize(remote);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const response = await post(
      remote,
      { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/', _meta: { mine: 1 } } },
      { connection, headers: { traceparent, tracestate: 'a=b' } },
    );
    expect(response.headers.get('traceparent')).toBe(traceparent);
    expect(seen).toEqual([{ cwd: '/', _meta: { mine: 1, traceparent, tracestate: 'a=b' } }]);
  });
});
