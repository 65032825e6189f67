import { hubMethods } from '@parley/host/hub';
import { connect, memoryPair, RpcError, type Connection } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { apiAnswers } from '../../src/hub/api/api-route.ts';
import { steering } from '../../src/hub/steering.ts';
import { createGateway, hubRoutes, toTokenRecord, type Hub, type Scope } from '../../src/index.ts';
import { createGate, openHub } from '../hub/hub-stage.ts';

/** The hub shows all sessions: a token of scope `use` is refused at its door, see below. */
type Actor = Exclude<Scope, 'use'>;

interface Row {
  readonly params: (sessionId: string, workspace: string) => object;
  /** Whether `observe` may; `admin` may all. */
  readonly observe: boolean;
}

const named = (sessionId: string): object => ({ sessionId });
const mcpServers: readonly never[] = [];

/** Each method of the hub. A new one needs a row here. */
const rows: Readonly<Record<string, Row>> = {
  initialize: { params: () => ({ protocolVersion: 1 }), observe: true },
  [hubMethods.attend]: { params: () => ({}), observe: true },
  [hubMethods.watch]: { params: named, observe: true },
  [hubMethods.unwatch]: { params: named, observe: true },
  [hubMethods.watchFrames]: { params: named, observe: true },
  [hubMethods.unwatchFrames]: { params: named, observe: true },
  [hubMethods.answers]: { params: () => ({}), observe: true },
  'session/new': { params: (_, cwd) => ({ cwd, mcpServers }), observe: false },
  'session/resume': { params: (sessionId, cwd) => ({ sessionId, cwd, mcpServers }), observe: false },
  'session/prompt': {
    params: (sessionId) => ({ sessionId, prompt: [{ type: 'text', text: 'go' }] }),
    observe: false,
  },
  'session/set_mode': { params: (sessionId) => ({ sessionId, modeId: 'm' }), observe: false },
  'session/set_config_option': {
    params: (sessionId) => ({ sessionId, configId: 'c', value: 'v' }),
    observe: false,
  },
  'session/close': { params: named, observe: false },
  'session/delete': { params: named, observe: false },
  [hubMethods.fork]: { params: named, observe: false },
  [hubMethods.answer]: {
    params: (sessionId) => ({ sessionId, requestId: 'q', answer: { kind: 'cancel' } }),
    observe: false,
  },
  [hubMethods.queue]: {
    params: (sessionId) => ({ sessionId, change: { kind: 'go-on' } }),
    observe: false,
  },
  [hubMethods.rename]: { params: (sessionId) => ({ sessionId, title: 't' }), observe: false },
  [hubMethods.cancel]: { params: named, observe: false },
  [hubMethods.restart]: { params: named, observe: false },
  [hubMethods.signIn]: { params: () => ({ agent: 'scripted', methodId: 'm' }), observe: false },
  [hubMethods.revoke]: { params: () => ({ id: 'answer' }), observe: false },
};

/** What the hub tells its clients. */
const toClients: ReadonlySet<string> = new Set([
  hubMethods.news,
  hubMethods.events,
  hubMethods.frames,
  hubMethods.terminal,
  hubMethods.log,
]);

test('each request that a client of the hub may send has a row', () => {
  const methods = new Set(['initialize', ...steering.keys(), ...Object.values(hubMethods)]);
  for (const method of toClients) methods.delete(method);
  expect(Object.keys(rows).toSorted()).toEqual([...methods].toSorted());
});

async function join(hub: Hub, scope: Actor): Promise<Connection> {
  const [near, far] = memoryPair();
  void hub.connect(far, { id: `token:${scope}`, name: scope, scope });
  const client = connect(near, {});
  onTestFinished(() => client.close());
  return Promise.resolve(client);
}

/** Why a request was refused, if it was. */
async function refusalOf(client: Connection, method: string, params: object): Promise<unknown> {
  try {
    await client.request(method, params);
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return error.toObject();
  }
}

test.each(Object.entries(rows))('who may send %s to the hub', async (method, { params, observe }) => {
  const stage = await openHub();
  const ada = await stage.join();
  const sessionId = await ada.start();
  for (const actor of ['observe', 'admin'] as const) {
    const client = await join(stage.hub, actor);
    if (method !== 'initialize') await client.request('initialize', { protocolVersion: 1 });
    const before = stage.requests.length;

    const refusal = await refusalOf(client, method, params(sessionId, stage.workspace));

    const readOnly = { code: -32_600, message: `${method}: this token may only look` };
    if (actor === 'admin') {
      expect(refusal).not.toMatchObject(readOnly);
      expect(refusal).not.toMatchObject({ code: -32_601 });
    } else {
      expect(refusal).toEqual(observe ? undefined : readOnly);
      expect(stage.requests).toHaveLength(before);
    }
  }
});

test('session/cancel of a client that observes cancels nothing', async () => {
  const begun = createGate();
  const goOn = createGate();
  const { hub, join: attend } = await openHub({
    agent: {
      turn: async () => {
        begun.open();
        await goOn.passed;
      },
    },
  });
  const ada = await attend();
  const sessionId = await ada.start();
  const answered = ada.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  await begun.passed;
  const client = await join(hub, 'observe');
  await client.request('initialize', { protocolVersion: 1 });

  await client.notify('session/cancel', { sessionId });
  await client.request(hubMethods.attend, {});
  goOn.open();

  expect(await answered).toEqual({ stopReason: 'end_turn' });
});

interface ApiRow {
  readonly path: (sessionId: string) => string;
  readonly statuses: Readonly<Record<Scope, number>>;
}

const looking = { admin: 200, observe: 200, use: 403 } as const;
const administering = { admin: 200, observe: 403, use: 403 } as const;

/** Each answer below `/api`. A new one needs a row here. */
const apiRows: Readonly<Record<string, ApiRow>> = {
  'GET desk': { path: () => 'desk', statuses: looking },
  'GET search': { path: () => 'search?q=go', statuses: looking },
  'GET sessions/*/export': { path: (key) => `sessions/${key}/export`, statuses: looking },
  'GET folders': { path: () => 'folders', statuses: administering },
  'GET files': { path: (key) => `files?session=${key}`, statuses: administering },
  'POST agents/*/probe': { path: () => 'agents/scripted/probe', statuses: administering },
};

test('each answer below /api has a row', () => {
  expect(Object.keys(apiRows).toSorted()).toEqual([...apiAnswers.keys()].toSorted());
});

const tokens = (['admin', 'observe', 'use'] as const).map((scope) =>
  toTokenRecord(scope, { name: scope, scope }),
);

async function serve(hub: Hub): Promise<string> {
  const gateway = createGateway({ port: 0, tokens: () => tokens, routes: hubRoutes(hub) });
  await gateway.listen();
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return gateway.url;
}

test.each(Object.entries(apiRows))('who may ask for %s below /api', async (endpoint, { path, statuses }) => {
  const stage = await openHub({ exportSession: () => Promise.resolve('text') });
  const url = await serve(stage.hub);
  const sessionId = await (await stage.join()).start();
  const [method = ''] = endpoint.split(' ');
  for (const scope of ['admin', 'observe', 'use'] as const) {
    const ask = async (key: string): Promise<{ readonly status: number; readonly error: unknown }> => {
      const headers = { authorization: `Bearer ${scope}` };
      const answer = await fetch(`${url}/api/${path(key)}`, { method, headers });
      const text = await answer.text();
      const { error } = answer.ok ? {} : (JSON.parse(text) as { readonly error?: string });
      return { status: answer.status, error };
    };

    const answer = await ask(sessionId);

    expect(answer.status, scope).toBe(statuses[scope]);
    if (scope === 'use') expect(answer).toEqual(await ask('missing'));
  }
});

test.each([
  ['admin', 101],
  ['observe', 101],
  ['use', 403],
])('a token of scope %s that opens the hub gets %d', async (scope, status) => {
  const { hub } = await openHub();
  const url = await serve(hub);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/desk`, {
    headers: { authorization: `Bearer ${scope}` },
  });
  const got = await new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('open', () => {
      resolve(101);
    });
    socket.on('unexpected-response', (_request, answer) => {
      resolve(answer.statusCode);
    });
  });
  socket.terminate();

  expect(got).toBe(status);
});
