import { manualClock } from '@parley/conformance';
import { connect, WireError, type Connection, type ConnectionOptions } from '@parley/wire';
import { formatEvent } from '@parley/wire/sse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRemoteAcp, httpTransport, type Fetch } from '../../src/http/index.ts';
import { createDeferred } from '../raw-peers.ts';
import { fetchOf } from './remote-stage.ts';

const url = 'http://parley.test/acp';
const initialized = { protocolVersion: 1, agentCapabilities: { loadSession: true } };

interface Seen {
  readonly method: string;
  readonly headers: Headers;
  readonly message: unknown;
}

/** A server that answers what a test says, and otherwise as a server of ACP does. */
function serverOf(
  answer: (seen: Seen, count: number) => Response | undefined | Promise<Response | undefined>,
): {
  readonly fetch: Fetch;
  readonly seen: Seen[];
} {
  const seen: Seen[] = [];
  const fetch: Fetch = async (_url, init) => {
    const request = new Request(url, init);
    const text = await request.text();
    const one: Seen = {
      method: request.method,
      headers: request.headers,
      message: text === '' ? undefined : JSON.parse(text),
    };
    seen.push(one);
    const given = await answer(one, seen.length);
    if (given !== undefined) return given;
    if (request.method === 'GET') return streamOf(init.signal);
    return isHello(one) ? helloAnswer() : new Response(null, { status: 202 });
  };
  return { fetch, seen };
}

function isHello({ message }: Seen): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize'
  );
}

function says(message: unknown, words: string): boolean {
  return message !== undefined && JSON.stringify(message).includes(words);
}

function helloAnswer(headers: Record<string, string> = {}): Response {
  return Response.json(
    { jsonrpc: '2.0', id: 1, result: initialized },
    { headers: { 'Acp-Connection-Id': 'c1', ...headers } },
  );
}

/** A stream that brings the given messages, and stays open until it is no longer needed. */
function streamOf(signal: unknown, ...messages: readonly unknown[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const message of messages) {
        controller.enqueue(new TextEncoder().encode(formatEvent({ data: JSON.stringify(message) })));
      }
      if (signal instanceof AbortSignal) {
        signal.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')));
      }
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

function open(
  fetch: Fetch,
  options: ConnectionOptions & { readonly headers?: Record<string, string> } = {},
): Connection {
  const { headers, ...rest } = options;
  const connection = connect(httpTransport(url, { fetch, ...(headers !== undefined && { headers }) }), rest);
  onTestFinished(() => connection.close());
  return connection;
}

describe('opening', () => {
  test.each([
    [401, 'the server answered 401: it wants other credentials'],
    [500, 'the server answered 500'],
    [302, 'the server answered with a redirect (302): name the address it leads to'],
  ])('a server that answers %d is reported with its message', async (status, message) => {
    const { fetch } = serverOf(
      () => new Response('<html>secret</html>', { status, headers: { Location: '/x' } }),
    );
    const connection = open(fetch);
    await expect(connection.request('initialize')).rejects.toThrow(message);
    expect(await connection.closed).toMatchObject({ code: 'failed', message });
  });

  test.each([401, 403])('%d has its own error, with any body', async (status) => {
    const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'no' } };
    const { fetch } = serverOf(() => Response.json(refusal, { status }));
    const connection = open(fetch);
    await expect(connection.request('initialize')).rejects.toThrow(String(status));
    expect(await connection.closed).toMatchObject({ error: { code: 'unauthorized', status } });
  });

  test('a URL that does not speak ACP is reported as such', async () => {
    const { fetch } = serverOf(() => new Response('<html>'));
    await expect(open(fetch).request('initialize')).rejects.toThrow('it may not be a server of ACP');
  });

  test('an unreachable URL is reported with its cause', async () => {
    const fetch: Fetch = () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    await expect(open(fetch).request('initialize')).rejects.toThrow('connect ECONNREFUSED');
  });

  test('a JSON-RPC error is the response', async () => {
    const { fetch } = serverOf(() =>
      Response.json(
        { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Sign in first' } },
        { status: 503 },
      ),
    );
    await expect(open(fetch).request('initialize')).rejects.toMatchObject({ code: -32000 });
  });

  test('headers and cookies are sent with each request, until the server deletes a cookie', async () => {
    const { fetch, seen } = serverOf((one, count) => {
      if (isHello(one)) return helloAnswer({ 'Set-Cookie': 'route=a; Path=/; HttpOnly' });
      return one.method === 'POST' && count < 5
        ? new Response(null, { status: 202, headers: { 'Set-Cookie': 'route=; Max-Age=0' } })
        : undefined;
    });
    const connection = open(fetch, { headers: { Authorization: 'Bearer t', Cookie: 'own=1' } });
    await connection.request('initialize');
    await connection.notify('a');
    await expect.poll(() => seen.length).toBe(3);
    await connection.notify('b');
    await expect.poll(() => seen.length).toBe(4);
    expect(seen.map(({ headers }) => headers.get('Authorization'))).toEqual(seen.map(() => 'Bearer t'));
    expect(seen.map(({ headers }) => headers.get('Cookie'))).toEqual([
      'own=1',
      'own=1; route=a',
      'own=1; route=a',
      'own=1',
    ]);
  });

  test('the trace context of a message is in the headers of its request', async () => {
    const { fetch, seen } = serverOf(() => undefined);
    const connection = open(fetch);
    await connection.request('initialize');
    await connection.notify('a', { _meta: { traceparent: '00-1-2-01', baggage: 'two\nlines' } });
    await expect.poll(() => seen.length).toBe(3);
    expect(seen[2]?.headers.get('traceparent')).toBe('00-1-2-01');
    expect(seen[2]?.headers.has('baggage')).toBe(false);
  });
});

describe('a message that is not taken', () => {
  test('fails only its request, and the connection continues', async () => {
    const { fetch } = serverOf(({ headers, message }) =>
      headers.has('Acp-Connection-Id') && says(message, 'too much')
        ? new Response('no', { status: 413, statusText: 'Content Too Large' })
        : undefined,
    );
    const connection = open(fetch);
    await connection.request('initialize');
    await expect(connection.request('x', { text: 'too much' })).rejects.toMatchObject({
      code: -32603,
      message: 'the server answered 413 Content Too Large',
    });
    expect(connection.signal.aborted).toBe(false);
  });

  test.each([404, 401, 410])('with %d ends the connection', async (status) => {
    const { fetch } = serverOf(({ method, headers }) =>
      method === 'POST' && headers.has('Acp-Connection-Id') ? new Response(null, { status }) : undefined,
    );
    const connection = open(fetch);
    await connection.request('initialize');
    await expect(connection.request('x')).rejects.toMatchObject({ code: 'closed' });
    expect(await connection.closed).toMatchObject({ code: 'failed' });
  });

  test('about an unknown session is answered with -32002', async () => {
    const { fetch } = serverOf(({ method, headers }) =>
      method === 'GET' && headers.has('Acp-Session-Id') ? new Response(null, { status: 404 }) : undefined,
    );
    const connection = open(fetch);
    await connection.request('initialize');
    await expect(connection.request('session/prompt', { sessionId: 's' })).rejects.toMatchObject({
      code: -32002,
      data: { sessionId: 's' },
    });
    expect(connection.signal.aborted).toBe(false);
  });
});

describe('streams', () => {
  test('that of a session is open before anything is sent about the session', async () => {
    const opened = createDeferred();
    const { fetch, seen } = serverOf(async ({ method, headers }) => {
      if (method === 'GET' && headers.has('Acp-Session-Id')) await opened.promise;
      return undefined;
    });
    const connection = open(fetch);
    await connection.request('initialize');
    void connection.request('session/load', { sessionId: 's' }).catch(() => {});
    await expect.poll(() => seen.length).toBe(3);
    expect(seen[2]).toMatchObject({ method: 'GET' });
    opened.resolve();
    await expect.poll(() => seen.length).toBe(4);
    expect(seen[3]?.headers.get('Acp-Session-Id')).toBe('s');
    expect(seen[3]?.message).toMatchObject({ method: 'session/load' });
  });

  test("the end of the connection's stream ends the connection", async () => {
    const { fetch } = serverOf(({ method }) =>
      method === 'GET' ? new Response('', { status: 200 }) : undefined,
    );
    const connection = open(fetch);
    await connection.request('initialize');
    expect(await connection.closed).toEqual({
      code: 'end-of-input',
      message: 'the server ended the connection',
    });
  });

  test("the end of a session's stream during a turn fails its pending request", async () => {
    const { fetch } = serverOf(({ method, headers }) =>
      method === 'GET' && headers.has('Acp-Session-Id') ? new Response('', { status: 200 }) : undefined,
    );
    const connection = open(fetch);
    await connection.request('initialize');
    const error: unknown = await connection
      .request('session/prompt', { sessionId: 's' })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(WireError);
    expect(await connection.closed).toMatchObject({
      code: 'failed',
      message: 'the stream of session s ended while a request was open',
    });
  });

  test('the server is notified when the connection is closed for any reason', async () => {
    const { fetch, seen } = serverOf(() => undefined);
    const connection = open(fetch);
    await connection.request('initialize');
    await connection.close();
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE' });
    expect(seen.at(-1)?.headers.get('Acp-Connection-Id')).toBe('c1');
  });
});

describe('the answer to session/load', () => {
  /** Delays what comes on the stream of a session. */
  function slowSessions(inner: Fetch): Fetch {
    return async (address, init) => {
      const response = await inner(address, init);
      const isSession = init.method === 'GET' && new Headers(init.headers).has('Acp-Session-Id');
      if (!isSession || response.body === null) return response;
      const slow = new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          for (let index = 0; index < 20; index++) await new Promise((resolve) => setImmediate(resolve));
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body.pipeThrough(slow), response);
    };
  }

  test('arrives after the replay, although that uses another stream', async () => {
    const remote = createRemoteAcp({
      accept: (transport) =>
        void connect(transport, {
          async onRequest(method, _params, { connection }) {
            if (method === 'initialize') return initialized;
            for (let n = 0; n < 500; n++) {
              await connection.notify('session/update', { sessionId: 's', n, text: 'x'.repeat(500) });
            }
            return {};
          },
        }),
    });
    onTestFinished(() => remote.close());
    const heard: unknown[] = [];
    const connection = open(slowSessions(fetchOf(remote)), {
      onNotification: (_method, params) => void heard.push(params),
    });
    await connection.request('initialize');
    await connection.request('session/load', { sessionId: 's' });
    expect(heard).toHaveLength(500);
  });

  test('without a stream is delivered when the session is quiet', async () => {
    const clock = manualClock();
    let send = (_message: unknown): void => {};
    let sendReplay = (): void => {};
    let isAsked = false;
    const { fetch } = serverOf(({ method, headers, message }) => {
      if (method === 'GET' && headers.has('Acp-Session-Id')) {
        const replay = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's' } };
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            sendReplay = () =>
              controller.enqueue(new TextEncoder().encode(formatEvent({ data: JSON.stringify(replay) })));
          },
        });
        return new Response(body);
      }
      if (method === 'GET') {
        return new Response(
          new ReadableStream<Uint8Array>({
            start(controller) {
              send = (answer) =>
                controller.enqueue(new TextEncoder().encode(formatEvent({ data: JSON.stringify(answer) })));
            },
          }),
        );
      }
      if (says(message, 'session/load')) {
        send({ jsonrpc: '2.0', id: 2, result: {} });
        isAsked = true;
      }
      return undefined;
    });
    const heard: string[] = [];
    const connection = connect(httpTransport(url, { fetch, clock }), {
      onNotification: (method) => void heard.push(method),
    });
    onTestFinished(() => connection.close());
    await connection.request('initialize');
    let isLoaded = false;
    const loaded = connection.request('session/load', { sessionId: 's' }).then(() => {
      isLoaded = true;
    });
    await expect.poll(() => isAsked).toBe(true);
    sendReplay();
    await expect.poll(() => heard).toEqual(['session/update']);
    expect(isLoaded).toBe(false);
    await expect
      .poll(() => {
        clock.advance(100);
        return isLoaded;
      })
      .toBe(true);
    await loaded;
  });
});
