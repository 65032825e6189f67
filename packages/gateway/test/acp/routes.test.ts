import { tmpdir } from 'node:os';
import { httpTransport } from '@parley/acp/http';
import { createLimitedPool, type AgentSpec } from '@parley/host';
import { connect, webSocketTransport, type Connection, type Transport } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { Hub } from '../../src/hub/create-hub.ts';
import { createAcpRoutes, createGateway, toTokenRecord, type HubOptions } from '../../src/index.ts';
import { createGate, openHub, type HubStage } from '../hub/hub-stage.ts';
import { scriptedAgent, type ScriptedAgentOptions } from '../scripted-agent.ts';
import { toFields } from './plain-client.ts';

const tokens = (['use', 'admin', 'observe'] as const).map((scope) =>
  toTokenRecord(`${scope}-token`, { name: scope, scope }),
);

interface Server extends HubStage {
  readonly url: string;
}

/** A server with a hub, whose agents are `scripted` and one with a name that has to be escaped. */
async function serve(
  options: Partial<HubOptions> & { readonly agent?: ScriptedAgentOptions } = {},
): Promise<Server> {
  const first = scriptedAgent(options.agent);
  const broken: AgentSpec = { name: 'broken', reach: { by: 'command', command: '/no/such/command' } };
  const stage = await openHub({
    agents: [
      { name: 'scripted', place: 'configured', spec: first.spec },
      { name: 'my agent', place: 'configured', spec: { ...scriptedAgent().spec, name: 'my agent' } },
      { name: 'broken', place: 'configured', spec: broken },
      { name: 'not installed', place: 'available' },
    ],
    ...options,
  });
  return { ...stage, url: await listen(stage.hub) };
}

async function listen(hub: Hub): Promise<string> {
  const acp = createAcpRoutes(hub);
  const gateway = createGateway({ port: 0, routes: acp.routes, tokens: () => tokens });
  await gateway.listen();
  onTestFinished(async () => {
    await acp.close();
    await gateway.close({ graceMs: 0 });
  });
  return gateway.url;
}

const kinds: readonly (readonly [name: string, open: (url: string, token: string) => Transport])[] = [
  ['HTTP', (url, token) => httpTransport(url, { headers: { authorization: `Bearer ${token}` } })],
  [
    'WebSocket',
    (url, token) =>
      webSocketTransport(
        new WebSocket(url.replace('http', 'ws'), { headers: { authorization: `Bearer ${token}` } }),
      ),
  ],
];

async function join(transport: Transport): Promise<Connection> {
  const client = connect(transport, { onNotification: () => undefined });
  onTestFinished(() => client.close());
  await client.request('initialize', { protocolVersion: 1 });
  return client;
}

test.each(kinds)('over %s, /acp is the default agent and /acp/NAME another', async (_name, open) => {
  const { url, workspace, hub } = await serve();
  const cwd = workspace;
  for (const at of ['/acp', '/acp/my%20agent']) {
    const client = await join(open(`${url}${at}`, 'admin-token'));
    await client.request('session/new', { cwd, mcpServers: [] });
  }

  expect(
    Hub.sessionsOf(hub)
      .sessions.map(({ agent }) => agent)
      .toSorted(),
  ).toEqual(['my agent', 'scripted']);
});

test.each(kinds)('over %s, a session can be opened only in the offered folders', async (_name, open) => {
  const { url, workspace } = await serve();
  const client = await join(open(`${url}/acp`, 'use-token'));

  expect(await client.request('session/new', { cwd: workspace, mcpServers: [] })).toMatchObject({
    sessionId: expect.any(String) as string,
  });
  await expect(client.request('session/new', { cwd: tmpdir(), mcpServers: [] })).rejects.toMatchObject({
    code: -32602,
  });
});

test.each(kinds)('over %s, MCP servers are limited to the hosts of the token', async (_name, open) => {
  const { url, workspace } = await serve({
    mcpHosts: ['localhost:3001'],
    agent: { capabilities: { mcpCapabilities: { http: true } } },
  });
  const openWith = async (token: string, server: string): Promise<unknown> => {
    const client = await join(open(`${url}/acp`, token));
    const mcpServers = [{ type: 'http', name: 'a', url: server, headers: [] }];
    return client.request('session/new', { cwd: workspace, mcpServers });
  };

  for (const token of ['use-token', 'admin-token']) {
    await expect(openWith(token, 'http://localhost:3001/mcp')).resolves.toBeDefined();
    await expect(openWith(token, 'http://127.0.0.1:9/')).rejects.toMatchObject({ code: -32602 });
  }
  await expect(openWith('use-token', 'https://93.184.215.14/')).rejects.toMatchObject({ code: -32602 });
  await expect(openWith('admin-token', 'https://93.184.215.14/')).resolves.toBeDefined();
});

test.each(kinds)(
  'over %s, another client loads a session while its first is connected',
  async (_name, open) => {
    const { url, workspace: cwd } = await serve({ agent: { turn: ({ say }) => say('hello') } });
    const first = await join(open(`${url}/acp`, 'use-token'));
    const { sessionId } = toFields(await first.request('session/new', { cwd, mcpServers: [] }));
    await first.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    const updates: unknown[] = [];
    const second = connect(open(`${url}/acp`, 'use-token'), {
      onNotification: (_method, params) =>
        void updates.push(toFields(toFields(params)['update'])['sessionUpdate']),
    });
    onTestFinished(() => second.close());
    await second.request('initialize', { protocolVersion: 1 });

    await second.request('session/load', { sessionId, cwd, mcpServers: [] });

    expect(updates).toEqual(['user_message_chunk', 'agent_message_chunk']);
  },
);

test.each(kinds)('over %s, a session is rejected if there is no slot for its agent', async (_name, open) => {
  const pool = createLimitedPool({ places: 1, waiting: 1, idleMs: 1000, waitMs: 50 });
  const begun = createGate();
  const goOn = createGate();
  const turn = async (): Promise<void> => {
    begun.open();
    await goOn.passed;
  };
  const { url, workspace: cwd } = await serve({ pool, agent: { turn } });
  const client = await join(open(`${url}/acp`, 'use-token'));
  const { sessionId } = toFields(await client.request('session/new', { cwd, mcpServers: [] }));
  const prompted = client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  await begun.passed;

  await expect(client.request('session/new', { cwd, mcpServers: [] })).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('agent processes in use: 1 of 1') as string,
    data: { code: 'overloaded' },
  });
  goOn.open();
  expect(await prompted).toEqual({ stopReason: 'end_turn' });
});

test.each(kinds)(
  'over %s, an agent that cannot be started is the answer to session/new',
  async (_name, open) => {
    const { url, workspace: cwd } = await serve();
    const client = await join(open(`${url}/acp/broken`, 'use-token'));

    await expect(client.request('session/new', { cwd, mcpServers: [] })).rejects.toMatchObject({
      message: expect.stringContaining('command not found') as string,
    });
    expect(await client.request('session/list', {})).toEqual({ sessions: [] });
  },
);

test.each(kinds)(
  'over %s, a turn that runs may end when the server does, and no other begins',
  async (_name, open) => {
    const begun = createGate();
    const goOn = createGate();
    const turn = async (): Promise<void> => {
      begun.open();
      await goOn.passed;
    };
    const { url, workspace: cwd, hub } = await serve({ agent: { turn } });
    const client = await join(open(`${url}/acp`, 'use-token'));
    const { sessionId } = toFields(await client.request('session/new', { cwd, mcpServers: [] }));
    const prompt = { sessionId, prompt: [{ type: 'text', text: 'go' }] };
    const prompted = client.request('session/prompt', prompt);
    await begun.passed;

    const closed = hub.close({ graceMs: 60_000 });
    await expect(client.request('session/prompt', prompt)).rejects.toMatchObject({
      message: 'the server is ending',
    });
    goOn.open();

    expect(await prompted).toEqual({ stopReason: 'end_turn' });
    await closed;
  },
);

test.each(['nobody', 'not%20installed'])('/acp/%s, which cannot be started, is 404', async (name) => {
  const { url } = await serve();
  const headers = { authorization: 'Bearer use-token', 'content-type': 'application/json' };
  const post = await fetch(`${url}/acp/${name}`, { method: 'POST', headers, body: '{}' });

  expect(post.status).toBe(404);
  expect(await statusOfUpgrade(`${url}/acp/${name}`, { authorization: 'Bearer use-token' })).toBe(404);
});

test.each([
  ['no token', {}, 401],
  ['a wrong token', { authorization: 'Bearer nope' }, 401],
  ['a page from elsewhere', { authorization: 'Bearer use-token', origin: 'https://evil.example' }, 403],
])('no WebSocket is opened with %s', async (_name, headers, status) => {
  const { url } = await serve();
  expect(await statusOfUpgrade(`${url}/acp`, headers)).toBe(status);
});

test('a connection id is not valid with another token', async () => {
  const { url } = await serve();
  const opened = await fetch(`${url}/acp`, {
    method: 'POST',
    headers: { authorization: 'Bearer use-token', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
  });
  const connectionId = opened.headers.get('acp-connection-id') ?? '';
  const end = async (token: string): Promise<number> =>
    (
      await fetch(`${url}/acp`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, 'acp-connection-id': connectionId },
      })
    ).status;

  expect(await end('admin-token')).toBe(404);
  expect(await end('use-token')).toBe(202);
});

function statusOfUpgrade(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
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
