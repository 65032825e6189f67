import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { httpTransport } from '@parley/acp/http';
import { createLimitedPool, type AgentSpec, type LimitedPool } from '@parley/host';
import {
  connect,
  memoryPair,
  RpcError,
  webSocketTransport,
  type Connection,
  type Transport,
  valueAt,
} from '@parley/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { toTokenRecord } from '../access/token.ts';
import { createGateway, type Gateway } from '../server/create-gateway.ts';
import { createAcpRoutes, type AcpRoutes } from './acp-routes.ts';

let folder = '';
let pool: LimitedPool;
let acp: AcpRoutes;
let gateway: Gateway;
let agents: Connection[] = [];
/** Answers the prompts that are held back. */
let held: (() => void)[] = [];
/** Sessions that an agent has open: no other can load them. */
let taken = new Set<string>();
/** What was denied. */
let denied: unknown[] = [];

/** The id that an agent gives a session: the one that the test wants. */
function sessionIdFor(params: unknown): string {
  const wanted = valueAt(params, '_meta', 'test/session');
  return typeof wanted === 'string' ? wanted : 'a';
}

/** Begins a session of a token, and leaves it. */
async function begin(token: string, sessionId: string): Promise<void> {
  const transport = httpTransport(`${gateway.url}/acp`, { headers: { authorization: `Bearer ${token}` } });
  await using client = connect(transport, {});
  await client.request('initialize', { protocolVersion: 1 });
  await client.request('session/new', { cwd: folder, mcpServers: [], _meta: { 'test/session': sessionId } });
}

const inMemory = (name: string): AgentSpec => ({
  name,
  reach: { by: 'transport', connect: () => agentCalled(name) },
});

function agentCalled(name: string): Transport {
  const [client, agent] = memoryPair();
  const own = new Set<string>();
  const connection = connect(agent, {
    laneOf: () => undefined,
    onRequest: (method, params) => {
      if (method === 'session/load') {
        const { sessionId } = params as { readonly sessionId: string };
        if (taken.has(sessionId)) throw new RpcError(-32603, 'it is open in another place');
        taken.add(sessionId);
        own.add(sessionId);
        return { loaded: sessionId };
      }
      const isHeld = typeof params === 'object' && params !== null && 'hold' in params;
      const agentCapabilities = { loadSession: true };
      if (!isHeld) return { name, method, params, sessionId: sessionIdFor(params), agentCapabilities };
      return new Promise((resolve) => {
        held.push(() => {
          resolve({ stopReason: 'end_turn' });
        });
      });
    },
  });
  agents.push(connection);
  void connection.closed.then(() => {
    for (const sessionId of own) taken.delete(sessionId);
  });
  return client;
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-acp-')));
  pool = createLimitedPool({ places: 2, waiting: 2, idleMs: 1000 });
  agents = [];
  held = [];
  taken = new Set();
  denied = [];
  acp = createAcpRoutes({
    agents: new Map([
      ['first', inMemory('first')],
      ['my agent', inMemory('second')],
      ['broken', { name: 'broken', reach: { by: 'command', command: '/no/such/command' } }],
    ]),
    defaultAgent: 'first',
    workspaces: [folder],
    pool,
    mcpHosts: ['localhost:3001'],
    rules: [
      { tool: 'execute', commandPrefix: 'rm', decision: 'deny' },
      { tool: 'edit', path: 'keys', decision: 'deny' },
      { tool: 'read', decision: 'allow' },
      { tool: 'fetch', agent: 'second', decision: 'deny' },
    ],
    onDenied: (agent, request) => denied.push({ agent, ...request }),
  });
  gateway = createGateway({
    port: 0,
    routes: acp.routes,
    tokens: () =>
      (['use', 'admin', 'observe'] as const).map((scope) =>
        toTokenRecord(`${scope}-token`, { name: scope, scope }),
      ),
  });
  await gateway.listen();
});

afterEach(async () => {
  await acp.close();
  await gateway.close({ graceMs: 0 });
  await rm(folder, { recursive: true });
});

const kinds: readonly (readonly [
  name: string,
  open: (path: string, token?: string) => Promise<Transport>,
])[] = [
  [
    'HTTP',
    (at, token = 'use-token') =>
      Promise.resolve(
        httpTransport(`${gateway.url}${at}`, { headers: { authorization: `Bearer ${token}` } }),
      ),
  ],
  [
    'WebSocket',
    (at, token = 'use-token') =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${at}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        resolve(webSocketTransport(socket));
        socket.on('error', reject);
      }),
  ],
];

test.each(kinds)('over %s, /acp is the default agent and /acp/NAME another', async (_name, open) => {
  const first = connect(await open('/acp'), {});
  const second = connect(await open('/acp/my%20agent'), {});

  expect(await first.request('initialize', { protocolVersion: 1 })).toMatchObject({ name: 'first' });
  expect(await second.request('initialize', { protocolVersion: 1 })).toMatchObject({ name: 'second' });

  await Promise.all([first.close(), second.close()]);
});

test.each(kinds)('over %s, a session is opened in the offered folders only', async (_name, open) => {
  const client = connect(await open('/acp'), {});
  await client.request('initialize', { protocolVersion: 1 });

  const inside = await client.request('session/new', { cwd: folder, mcpServers: [] });
  const outside = client.request('session/new', { cwd: tmpdir(), mcpServers: [] });

  expect(inside).toMatchObject({ method: 'session/new' });
  await expect(outside).rejects.toMatchObject({ code: -32602 });
  await client.close();
});

/** A client of streamable HTTP that can be killed. */
async function openEditor(token: string): Promise<{
  request(method: string, sessionId: string): Promise<Response>;
  kill(): void;
}> {
  const killing = new AbortController();
  const { signal } = killing;
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const post = (message: object, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${gateway.url}/acp`, {
      method: 'POST',
      headers: { ...headers, ...more, accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      signal,
    });
  const initialized = await post({ method: 'initialize', params: { protocolVersion: 1 } });
  headers['acp-connection-id'] = initialized.headers.get('acp-connection-id') ?? '';
  await fetch(`${gateway.url}/acp`, { headers: { ...headers, accept: 'text/event-stream' }, signal });
  return {
    request: (method, sessionId) =>
      post(
        { id: 2, method, params: { sessionId, cwd: folder, mcpServers: [] } },
        { 'acp-session-id': sessionId },
      ),
    kill: () => killing.abort(),
  };
}

test('a client with the same key loads the session of one that was killed, and no other does', async () => {
  await begin('use-token', 's');
  const editor = await openEditor('use-token');
  await editor.request('session/load', 's');
  await expect.poll(() => [...taken]).toEqual(['s']);
  const load = async (token: string): Promise<unknown> => {
    const transport = httpTransport(`${gateway.url}/acp`, { headers: { authorization: `Bearer ${token}` } });
    await using client = connect(transport, {});
    await client.request('initialize', { protocolVersion: 1 });
    return await client.request('session/load', { sessionId: 's', cwd: folder, mcpServers: [] });
  };
  const inUse = { message: 'it is open in another place' };
  await expect(load('use-token')).rejects.toMatchObject(inUse);

  editor.kill();

  await expect(load('admin-token')).rejects.toMatchObject(inUse);
  await expect
    .poll(() => load('use-token').catch(() => 'refused'), { timeout: 120_000 })
    .toEqual({ loaded: 's' });
});

test.each(kinds)('over %s, MCP servers are where the token may have them', async (_name, open) => {
  const openWith = async (token: string, url: string): Promise<unknown> => {
    const client = connect(await open('/acp', token), {});
    try {
      await client.request('initialize', { protocolVersion: 1 });
      const mcpServers = [{ type: 'http', name: 'a', url, headers: [] }];
      const _meta = { 'test/session': `${token} ${url}` };
      return await client.request('session/new', { cwd: folder, mcpServers, _meta });
    } finally {
      await client.close();
    }
  };

  for (const token of ['use-token', 'admin-token']) {
    await expect(openWith(token, 'http://localhost:3001/mcp')).resolves.toMatchObject({
      method: 'session/new',
    });
    await expect(openWith(token, 'http://127.0.0.1:9/')).rejects.toMatchObject({ code: -32602 });
  }
  await expect(openWith('use-token', 'https://93.184.215.14/')).rejects.toMatchObject({ code: -32602 });
  await expect(openWith('admin-token', 'https://93.184.215.14/')).resolves.toBeDefined();
});

test.each(kinds)('over %s, each client has a place, and gives it back', async (_name, open) => {
  const client = connect(await open('/acp'), {});
  await client.request('initialize', { protocolVersion: 1 });
  expect(pool.taken).toBe(1);

  await client.close();
  await agents[0]?.closed;
  await acp.close();

  expect(pool.taken).toBe(0);
});

test.each(kinds)('over %s, a client for which there is no place is told so', async (_name, open) => {
  pool = createLimitedPool({ places: 1, waiting: 1, idleMs: 1000, waitMs: 50 });
  const small = createAcpRoutes({
    agents: new Map([['first', inMemory('first')]]),
    defaultAgent: 'first',
    workspaces: [folder],
    pool,
  });
  await gateway.close({ graceMs: 0 });
  gateway = createGateway({
    port: 0,
    routes: small.routes,
    tokens: () => [toTokenRecord('use-token', { name: 'use', scope: 'use' })],
  });
  await gateway.listen();
  const client = connect(await open('/acp'), {});
  await client.request('initialize', { protocolVersion: 1 });

  const another = connect(await open('/acp'), {});
  await expect(another.request('initialize', { protocolVersion: 1 })).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('agent processes in use: 1 of 1') as string,
    data: { code: 'overloaded' },
  });

  expect(pool).toMatchObject({ taken: 1, waiting: 0 });
  await Promise.all([client.close(), another.close()]);
  await small.close();
});

test.each(kinds)(
  'over %s, an agent that cannot be started is the answer to initialize',
  async (_name, open) => {
    const client = connect(await open('/acp/broken'), {});

    await expect(client.request('initialize', { protocolVersion: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('command not found') as string,
    });

    expect(pool.taken).toBe(0);
    await client.close();
  },
);

test.each(kinds)(
  'over %s, a turn that runs may end when the server does, and no other begins',
  async (_name, open) => {
    const client = connect(await open('/acp'), {});
    await client.request('initialize', { protocolVersion: 1 });
    await client.request('session/new', { cwd: folder, mcpServers: [] });
    const prompt = client.request('session/prompt', { sessionId: 'a', hold: true });
    await expect.poll(() => held.length, { timeout: 120_000 }).toBe(1);

    const closed = acp.close({ graceMs: 10_000 });
    const late = client.request('session/prompt', { sessionId: 'a' });
    await expect(late).rejects.toMatchObject({ message: 'the server is about to end' });
    held[0]?.();

    expect(await prompt).toEqual({ stopReason: 'end_turn' });
    await closed;
    await client.closed;
  },
);

test('an agent nobody knows is 404, for both', async () => {
  const headers = { authorization: 'Bearer use-token', 'content-type': 'application/json' };
  const post = await fetch(`${gateway.url}/acp/nobody`, { method: 'POST', headers, body: '{}' });

  expect(post.status).toBe(404);
  expect(await statusOfUpgrade('/acp/nobody', { authorization: 'Bearer use-token' })).toBe(404);
});

test.each([
  ['no token', {}, 401],
  ['a wrong token', { authorization: 'Bearer nope' }, 401],
  ['a page from elsewhere', { authorization: 'Bearer use-token', origin: 'https://evil.example' }, 403],
])('no WebSocket is opened with %s', async (_name, headers, status) => {
  expect(await statusOfUpgrade('/acp', headers)).toBe(status);
});

test('the id of a connection is worth nothing with another token', async () => {
  const opened = await fetch(`${gateway.url}/acp`, {
    method: 'POST',
    headers: { authorization: 'Bearer use-token', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
  });
  const connectionId = opened.headers.get('acp-connection-id') ?? '';
  const end = async (token: string): Promise<number> =>
    (
      await fetch(`${gateway.url}/acp`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, 'acp-connection-id': connectionId },
      })
    ).status;

  expect(await end('admin-token')).toBe(404);
  expect(await end('use-token')).toBe(202);
});

function statusOfUpgrade(at: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${at}`, { headers });
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, answer) => {
      resolve(answer.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
  });
}

test.each(kinds)('over %s, no client can allow what the configuration denies', async (_name, open) => {
  const asked: unknown[] = [];
  const allowed = { outcome: { outcome: 'selected', optionId: 'yes' } };
  const client = connect(await open('/acp'), {
    onRequest: (_method, params) => {
      asked.push(params);
      return allowed;
    },
  });
  await client.request('initialize', { protocolVersion: 1 });
  const sub = path.join(folder, 'sub');
  await mkdir(sub);
  await client.request('session/new', { cwd: sub, mcpServers: [] });
  const [agent] = agents;
  const ask = (toolCall: object): Promise<unknown> | undefined =>
    agent?.request('session/request_permission', {
      sessionId: 'a',
      toolCall: { toolCallId: 'c', ...toolCall },
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    });
  await agent?.notify('session/update', {
    sessionId: 'a',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: 'told',
      title: 'rm',
      kind: 'execute',
      rawInput: { command: 'rm a' },
    },
  });

  expect(await ask({ kind: 'execute', rawInput: { command: 'ls' } })).toEqual(allowed);
  expect(await ask({ kind: 'edit', locations: [{ path: path.join(folder, 'keys', 'a') }] })).toEqual(allowed);
  expect(asked).toHaveLength(2);

  const rejected = { outcome: { outcome: 'selected', optionId: 'no' } };
  expect(await ask({ toolCallId: 'told' })).toMatchObject(rejected);
  expect(await ask({ kind: 'edit', locations: [{ path: path.join(sub, 'keys', 'a') }] })).toMatchObject(
    rejected,
  );
  await expect(agent?.request('session/request_permission', { sessionId: 'a' })).rejects.toMatchObject({
    code: -32602,
  });
  expect(asked).toHaveLength(2);
  expect(denied).toMatchObject([
    { agent: 'first', sessionId: 'a', reason: expect.stringContaining('rm') },
    { agent: 'first', sessionId: 'a', reason: expect.stringContaining('keys') },
  ]);
  await client.close();
});
