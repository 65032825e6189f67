import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAapServer, type ServedAgent } from '@parley/aap/server';
import {
  aapRoute,
  apiRoute,
  createAcpRoutes,
  createGateway,
  createHub,
  createMetrics,
  healthRoutes,
  metricsRoute,
  openApiRoutes,
  programsRoute,
  toTokenRecord,
  webRoute,
  type Gateway,
  type Hub,
} from '@parley/gateway';
import { filesStore, unlimitedPool, SharedEventLogs } from '@parley/host';
import { connect as connectPeer, memoryPair, type Transport } from '@parley/wire';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

const token = 'fuzz-token';
const echo: ServedAgent = {
  info: { name: 'echo', version: '1.0.0' },
  run: () => Promise.resolve({ stopReason: 'end_turn' }),
};

const faults: unknown[] = [];
let gateway: Gateway;
let port = 0;
let folder = '';
let hub: Hub;

function connectEcho(): Transport {
  const [client, agent] = memoryPair();
  connectPeer(agent, { onRequest: () => ({}) });
  return client;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-fuzz-'));
  hub = createHub({
    agents: [
      {
        name: 'echo',
        place: 'configured',
        spec: { name: 'echo', reach: { by: 'transport', connect: connectEcho } },
      },
    ],
    defaultAgent: 'echo',
    workspaces: [tmpdir()],
    eventLogs: new SharedEventLogs({ store: filesStore(folder), program: 'test 1' }),
    policyFor: () => ({ approve: { level: 'ask', given: false }, rules: [] }),
    pool: unlimitedPool(),
    info: { name: 'hub', version: '1' },
    onFault: (error) => faults.push(error),
  });
  const acp = createAcpRoutes(hub);
  const aap = createAapServer([echo], {
    basePath: '/aap',
    onEvent: (event) => {
      if (event.type === 'fault') faults.push(event);
    },
  });
  const metrics = createMetrics({
    processes: () => ({ used: 0, idle: 0, waiting: 0 }),
    pending: () => Promise.resolve({ calls: 0, oldestMs: 0 }),
    acpConnections: () => acp.connections,
    hub: () => ({ clients: 0, questions: 0 }),
  });
  gateway = createGateway({
    port: 0,
    tokens: () => [toTokenRecord(token, { name: 'fuzz', scope: 'admin' })],
    routes: [
      ...healthRoutes(() => undefined),
      webRoute(undefined),
      programsRoute({ version: '0.0.0', agents: () => [] }),
      ...openApiRoutes(),
      metricsRoute(metrics),
      aapRoute(aap),
      ...acp.routes,
      apiRoute(hub),
    ],
    limits: {
      requestsPerMinute: 10_000_000,
      failedTokensPerMinute: 10_000_000,
      headersMs: 500,
      receiveMs: 1000,
      idleConnectionMs: 500,
    },
    onFault: (error) => faults.push(error),
  });
  await gateway.listen();
  port = Number(new URL(gateway.url).port);
});

afterAll(async () => {
  await hub.close();
  await gateway.close({ graceMs: 0 });
  await rm(folder, { recursive: true });
});

const word = fc.stringMatching(/^[\w%.-]{0,12}$/u);
const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/aap/meta',
    '/aap/sessions',
    '/aap/sessions/x/turns',
    '/aap/sessions/x/history?type=full',
    '/aap/sessions/x/turns/y/events',
    '/acp',
    '/acp/echo',
    '/metrics',
    '/openapi',
    '/sign-in',
    '/sign-in?next=//elsewhere',
    '/api/push',
    '/api/sign-in-links',
    '/api/sign-out',
    '/assets/main.js',
    '*',
  ),
  fc.array(word, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
  fc.tuple(fc.constantFrom('/aap/', '/acp/', '/?token=', '//', '/%'), word).map((parts) => parts.join('')),
  fc.string({ maxLength: 20 }),
);
const header = fc.oneof(
  fc.constantFrom(
    `Authorization: Bearer ${token}`,
    'Content-Type: text/plain',
    'Content-Type: application/json; charset=\u0000',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    'Expect: 100-continue',
    'Accept: text/event-stream',
    'Acp-Connection-Id: x',
    'Last-Event-ID: x',
    'Idempotency-Key: x',
    'Origin: http://127.0.0.1',
    'Origin: https://evil.example',
    'Cookie: ;;=;a',
    'Host: evil.example',
    'traceparent: 00-x',
  ),
  fc.tuple(word, fc.string({ maxLength: 20 })).map((pair) => pair.join(': ')),
);
const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    '{"agent":{"name":"echo"}}',
    '{"agent":{"name":"echo","tools":5},"messages":[null]}',
    '{"messages":[{"role":"user","content":"x"}],"stream":"delta"}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}',
    '[{"jsonrpc":"2.0"}]',
    '{"__proto__":{"name":"echo"}}',
    '[[[[[[[[[[[[',
  ),
  fc.string({ maxLength: 40 }),
);
const request = fc
  .record({
    method: fc.oneof(
      fc.constantFrom('GET', 'POST', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT'),
      word,
    ),
    path,
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.0', '2.0', '0.9', 'x'),
    isKnown: fc.boolean(),
    headers: fc.array(header, { maxLength: 4 }),
    body: json,
    length: fc.option(fc.integer({ min: -2, max: 3 }), { nil: undefined }),
  })
  .map(({ method, path: target, version, isKnown, headers, body, length }) => {
    const known = isKnown
      ? [`Host: 127.0.0.1`, `Authorization: Bearer ${token}`, 'Content-Type: application/json']
      : [];
    const sized = length === undefined ? [] : [`Content-Length: ${String(Buffer.byteLength(body) + length)}`];
    return `${method} ${target} HTTP/${version}\r\n${[...known, ...headers, ...sized].join('\r\n')}\r\n\r\n${body}`;
  });
const bytes = fc.oneof(
  { weight: 12, arbitrary: request.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.array(request, { maxLength: 4 }).map((all) => Buffer.from(all.join(''))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((noise) => Buffer.from(noise)) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 100 })
      .map((noise) => Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), noise])),
  },
);

test(
  '10,000 malformed requests bring about no fault, and each connection ends',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 500, maxLength: 500 }), async (batch) => {
        const answers = await Promise.all(batch.map(exchange));

        for (const answer of answers) expect(answer).not.toMatch(/^HTTP\/1\.1 50[0246]/mu);
        expect(faults).toEqual([]);
      }),
      { numRuns: 20, endOnFailure: true },
    );
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  },
);

/** Sends bytes, says that there will be no more, and reads until the other end says so too. */
function exchange(sent: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = '';
    const socket = connect(port, '127.0.0.1');
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end after ${JSON.stringify(sent.toString('latin1'))}: ${JSON.stringify(read)}`));
    }, 240_000);
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      read += part;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(read);
    });
    socket.end(sent);
  });
}
