import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as stable from '@parley/acp';
import { httpTransport } from '@parley/acp/http';
import * as unstable from '@parley/acp/unstable';
import { createLimitedPool } from '@parley/host';
import {
  connect,
  memoryPair,
  RpcError,
  webSocketTransport,
  type Connection,
  type Transport,
} from '@parley/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  createAcpRoutes,
  createGateway,
  toTokenRecord,
  type AcpRoutes,
  type Gateway,
} from '../../src/index.ts';

/** Who sends a message about a session of `owner`. */
type Actor = 'owner' | 'other' | 'admin' | 'observe';

/**
 * What becomes of a message.
 *
 * - `passes`: the agent gets it.
 * - `unknown`: -32002, in the same words as for a session that does not exist; the agent does not get it.
 * - `read-only`, `admin-only`: -32600, and the agent does not get it.
 */
type Outcome = 'passes' | 'unknown' | 'read-only' | 'admin-only';

interface Row {
  readonly params: (sessionId: string) => object;
  readonly outcomes: Readonly<Record<Actor, Outcome>>;
}

let folder = '';
const mcpServers: readonly never[] = [];
const anybody = { owner: 'passes', other: 'passes', admin: 'passes', observe: 'passes' } as const;
const beginning = { ...anybody, observe: 'read-only' } as const;
const looking = { ...anybody, other: 'unknown' } as const;
const changing = { ...looking, observe: 'read-only' } as const;
const administering = {
  owner: 'admin-only',
  other: 'admin-only',
  admin: 'passes',
  observe: 'read-only',
} as const;

/** Each method that a client may send, and what becomes of it. A new method of ACP needs a row here. */
const rows: Readonly<Record<string, Row>> = {
  // Each connection begins with it.
  initialize: { params: () => ({ protocolVersion: 1 }), outcomes: anybody },
  authenticate: { params: () => ({ methodId: 'key' }), outcomes: beginning },
  logout: { params: () => ({}), outcomes: administering },
  'auth/status': { params: () => ({}), outcomes: anybody },
  'providers/list': { params: () => ({}), outcomes: administering },
  'providers/set': { params: () => ({ providerId: 'p' }), outcomes: administering },
  'providers/disable': { params: () => ({ providerId: 'p' }), outcomes: administering },
  'session/new': { params: () => ({ cwd: folder, mcpServers }), outcomes: beginning },
  'session/list': { params: () => ({}), outcomes: anybody },
  'session/load': { params: (sessionId) => ({ sessionId, cwd: folder, mcpServers }), outcomes: looking },
  'session/resume': { params: (sessionId) => ({ sessionId, cwd: folder, mcpServers }), outcomes: looking },
  'session/fork': { params: (sessionId) => ({ sessionId, cwd: folder, mcpServers }), outcomes: changing },
  'session/status': { params: (sessionId) => ({ sessionId }), outcomes: looking },
  'session/delete': { params: (sessionId) => ({ sessionId }), outcomes: changing },
  'session/archive': { params: (sessionId) => ({ sessionId }), outcomes: changing },
  'session/unarchive': { params: (sessionId) => ({ sessionId }), outcomes: changing },
  'session/set_title': { params: (sessionId) => ({ sessionId, title: 't' }), outcomes: changing },
  'session/close': { params: (sessionId) => ({ sessionId }), outcomes: changing },
  'session/set_mode': { params: (sessionId) => ({ sessionId, modeId: 'm' }), outcomes: changing },
  'session/set_config_option': {
    params: (sessionId) => ({ sessionId, configId: 'c', value: 'v' }),
    outcomes: changing,
  },
  'session/prompt': { params: (sessionId) => ({ sessionId, prompt: [] }), outcomes: changing },
  'session/cancel': { params: (sessionId) => ({ sessionId }), outcomes: changing },
  'mcp/message': { params: () => ({ connectionId: 'c', method: 'm' }), outcomes: anybody },
  '$/cancel_request': { params: () => ({ requestId: 12_345 }), outcomes: anybody },
};

/** Methods that no version of ACP has: what is not known is treated as a change. */
const unknownRows: Readonly<Record<string, Row>> = {
  'session/set_model': { params: (sessionId) => ({ sessionId, modelId: 'm' }), outcomes: changing },
  '_own/of_session': { params: (sessionId) => ({ sessionId }), outcomes: changing },
  '_own/of_all': { params: () => ({}), outcomes: administering },
  '_own/hidden_name': {
    params: (sessionId) => ({ from: [{ parent_session_id: sessionId }] }),
    outcomes: administering,
  },
};

const notifications = new Set(
  [stable, unstable].flatMap(({ agentNotifications, protocolNotifications }) => [
    ...Object.keys(agentNotifications),
    ...Object.keys(protocolNotifications),
  ]),
);
const methods = new Set([
  ...[stable, unstable].flatMap(({ agentRequests }) => Object.keys(agentRequests)),
  ...notifications,
]);

test('each method that a client of ACP may send has a row', () => {
  expect(Object.keys(rows).toSorted()).toEqual([...methods].toSorted());
});

/** What an agent was sent. */
interface Reached {
  readonly method: string;
}

/** An agent that stores sessions: each connection has one of its own, and all of them have the same store. */
const stored = new Map<string, string>();
let reached: Reached[] = [];
let begun = 0;

function begin(cwd: string): string {
  begun += 1;
  const sessionId = `session-${String(begun)}`;
  stored.set(sessionId, cwd);
  return sessionId;
}

function answer(method: string, params: unknown): unknown {
  const { sessionId = '' } = params as { readonly sessionId?: string };
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: true,
          sessionCapabilities: { list: {}, resume: {}, fork: {}, delete: {}, close: {} },
        },
      };
    case 'session/new':
      return { sessionId: begin(folder) };
    case 'session/list':
      return { sessions: Array.from(stored, ([id, cwd]) => ({ sessionId: id, cwd })) };
    case 'session/fork':
      return { sessionId: begin(folder) };
    case 'session/delete':
      stored.delete(sessionId);
      return {};
    default:
      if (sessionId !== '' && !stored.has(sessionId)) throw new RpcError(-32_002, 'the agent knows none');
      return {};
  }
}

const connectStoring = (): Transport => {
  const [client, agent] = memoryPair();
  connect(agent, { onRequest: answer, onNotification: () => undefined });
  return {
    ...client,
    start: (receiver) => {
      client.start(receiver);
    },
    close: (reason) => client.close(reason),
    send: (batch) => {
      for (const { message } of batch) if ('method' in message) reached.push(message);
      return client.send(batch);
    },
  };
};

let acp: AcpRoutes;
let gateway: Gateway;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-who-may-')));
  acp = createAcpRoutes({
    agents: new Map([['storing', { name: 'storing', reach: { by: 'transport', connect: connectStoring } }]]),
    defaultAgent: 'storing',
    workspaces: [folder],
    pool: createLimitedPool({ places: 100, waiting: 2, idleMs: 1000 }),
  });
  const tokens = [
    toTokenRecord('owner', { name: 'owner', scope: 'use' }),
    toTokenRecord('other', { name: 'other', scope: 'use' }),
    toTokenRecord('admin', { name: 'admin', scope: 'admin' }),
    toTokenRecord('observe', { name: 'observe', scope: 'observe' }),
  ];
  gateway = createGateway({ port: 0, routes: acp.routes, tokens: () => tokens });
  await gateway.listen();
});

afterAll(async () => {
  await acp.close();
  await gateway.close({ graceMs: 0 });
  await rm(folder, { recursive: true });
});

const transports: Readonly<Record<string, (actor: Actor) => Promise<Transport>>> = {
  HTTP: (actor) =>
    Promise.resolve(httpTransport(`${gateway.url}/acp`, { headers: { authorization: `Bearer ${actor}` } })),
  WebSocket: (actor) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/acp`, {
        headers: { authorization: `Bearer ${actor}` },
      });
      resolve(webSocketTransport(socket));
      socket.on('error', reject);
    }),
};

async function join(name: string, actor: Actor): Promise<Connection> {
  const open = transports[name];
  if (open === undefined) throw new Error(`no transport ${name}`);
  const client = connect(await open(actor), {});
  await client.request('initialize', { protocolVersion: 1 });
  return client;
}

async function beginAs(name: string, actor: Actor): Promise<string> {
  const client = await join(name, actor);
  const { sessionId } = (await client.request('session/new', { cwd: folder, mcpServers })) as {
    readonly sessionId: string;
  };
  await client.close();
  return sessionId;
}

/** Sends one message on a connection of its own, and tells what became of it. */
async function send(name: string, actor: Actor, method: string, params: object): Promise<unknown> {
  if (method === 'initialize') {
    reached = [];
    await (await join(name, actor)).close();
    return reached.some((each) => each.method === method) ? 'passes' : 'lost';
  }
  const client = await join(name, actor);
  reached = [];
  try {
    if (notifications.has(method)) {
      await client.notify(method, params);
      // What comes behind it has the same way.
      await client.request('session/list', {});
    } else {
      await client.request(method, params);
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    expect(reached).toEqual([]);
    return error.toObject();
  } finally {
    await client.close();
  }
  return reached.some((each) => each.method === method) ? 'passes' : 'dropped';
}

function expected(outcome: Outcome, method: string, sessionId: string): unknown {
  if (outcome === 'passes') return 'passes';
  if (notifications.has(method)) return 'dropped';
  switch (outcome) {
    case 'unknown':
      return { code: -32_002, message: `Unknown session: ${sessionId}`, data: { sessionId } };
    case 'read-only':
      return { code: -32_600, message: `${method}: this token is read-only` };
    case 'admin-only':
      return { code: -32_600, message: expect.stringContaining('only a token of the scope admin') as string };
  }
}

const actors: readonly Actor[] = ['owner', 'other', 'admin', 'observe'];
const cases = Object.keys(transports).flatMap((name) =>
  Object.entries({ ...rows, ...unknownRows }).map(([method, row]) => [name, method, row] as const),
);

test.each(cases)('over %s, who may send %s', async (name, method, { params, outcomes }) => {
  for (const actor of actors) {
    const sessionId = await beginAs(name, 'owner');
    // What nobody has begun here belongs to admin, and so the owner is another to it.
    const nobodys = begin(folder);
    const missing = `missing-${sessionId}`;

    const outcome = outcomes[actor];
    expect(await send(name, actor, method, params(sessionId)), actor).toEqual(
      expected(outcome, method, sessionId),
    );
    if (actor === 'other') {
      expect(await send(name, actor, method, params(missing)), 'a missing session').toEqual(
        expected(outcome, method, missing),
      );
      for (const use of ['owner', 'other'] as const) {
        expect(await send(name, use, method, params(nobodys)), "nobody's session").toEqual(
          expected(outcomes.other, method, nobodys),
        );
      }
    }
  }
});

test.each(Object.keys(transports))(
  'over %s, a list has the sessions that the token may see',
  async (name) => {
    const own = await beginAs(name, 'owner');
    const others = await beginAs(name, 'other');
    const admins = await beginAs(name, 'admin');
    const nobodys = begin(folder);
    const listed = async (actor: Actor): Promise<readonly string[]> => {
      const client = await join(name, actor);
      const { sessions } = (await client.request('session/list', {})) as {
        readonly sessions: readonly { readonly sessionId: string }[];
      };
      await client.close();
      return sessions
        .map(({ sessionId }) => sessionId)
        .filter((id) => [own, others, admins, nobodys].includes(id));
    };

    expect(await listed('owner')).toEqual([own]);
    expect(await listed('other')).toEqual([others]);
    expect(await listed('admin')).toEqual([own, others, admins, nobodys]);
    expect(await listed('observe')).toEqual([own, others, admins, nobodys]);
  },
);

test.each(Object.keys(transports))('over %s, a fork belongs to the token that made it', async (name) => {
  const origin = await beginAs(name, 'owner');
  const client = await join(name, 'admin');
  const { sessionId } = (await client.request('session/fork', {
    sessionId: origin,
    cwd: folder,
    mcpServers,
  })) as {
    readonly sessionId: string;
  };
  await client.close();

  expect(await send(name, 'owner', 'session/prompt', { sessionId, prompt: [] })).toMatchObject({
    code: -32_002,
  });
  expect(await send(name, 'admin', 'session/prompt', { sessionId, prompt: [] })).toBe('passes');
});

test("the sessions that _meta names are looked at too, and those in what an extension's params hold", async () => {
  const own = await beginAs('WebSocket', 'owner');
  const others = await beginAs('WebSocket', 'other');
  const hidden = { cwd: folder, mcpServers, _meta: { vendor: { options: [{ resumeSessionId: others }] } } };

  expect(await send('WebSocket', 'owner', 'session/new', hidden)).toMatchObject({ code: -32_002 });
  expect(
    await send('WebSocket', 'owner', '_own/merge', { sessionId: own, session_ids: [own, others] }),
  ).toMatchObject({ code: -32_002 });
  expect(await send('WebSocket', 'owner', '_own/merge', { sessionId: own, session_ids: [own] })).toBe(
    'passes',
  );
});

test('a client that observes brings nothing along for a session that it loads, and the session is closed', async () => {
  const sessionId = await beginAs('WebSocket', 'owner');
  const load = { sessionId, cwd: folder, mcpServers };
  const server = { type: 'http', name: 's', url: 'https://example.com', headers: [] };

  for (const params of [
    { ...load, mcpServers: [server] },
    { ...load, _meta: { vendor: { allow: true } } },
  ]) {
    expect(await send('WebSocket', 'observe', 'session/load', params)).toMatchObject({ code: -32_600 });
  }
  expect(await send('WebSocket', 'observe', 'session/load', load)).toBe('passes');
  await expect
    .poll(() => reached.map(({ method }) => method), { timeout: 120_000 })
    .toEqual(['session/load', 'session/close']);
});
