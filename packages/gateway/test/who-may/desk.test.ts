import { deskMethods } from '@parley/host/desk';
import { connect, memoryPair, RpcError, type Connection } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { apiAnswers } from '../../src/desk/api/api-route.ts';
import { steering } from '../../src/desk/steering.ts';
import { createGateway, deskRoutes, toTokenRecord, type Desk, type Scope } from '../../src/index.ts';
import { createGate, openDesk } from '../desk/desk-stage.ts';

/** The desk shows all sessions: a token of scope `use` is refused at its door, see below. */
type Actor = Exclude<Scope, 'use'>;

interface Row {
  readonly params: (sessionId: string, workspace: string) => object;
  /** Whether `observe` may; `admin` may all. */
  readonly observe: boolean;
}

const named = (sessionId: string): object => ({ sessionId });
const mcpServers: readonly never[] = [];

/** Each method of the desk. A new one needs a row here. */
const rows: Readonly<Record<string, Row>> = {
  initialize: { params: () => ({ protocolVersion: 1 }), observe: true },
  [deskMethods.attend]: { params: () => ({}), observe: true },
  [deskMethods.watch]: { params: named, observe: true },
  [deskMethods.unwatch]: { params: named, observe: true },
  [deskMethods.watchFrames]: { params: named, observe: true },
  [deskMethods.unwatchFrames]: { params: named, observe: true },
  [deskMethods.answers]: { params: () => ({}), observe: true },
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
  [deskMethods.fork]: { params: named, observe: false },
  [deskMethods.answer]: {
    params: (sessionId) => ({ sessionId, requestId: 'q', answer: { kind: 'cancel' } }),
    observe: false,
  },
  [deskMethods.queue]: {
    params: (sessionId) => ({ sessionId, change: { kind: 'go-on' } }),
    observe: false,
  },
  [deskMethods.rename]: { params: (sessionId) => ({ sessionId, title: 't' }), observe: false },
  [deskMethods.cancel]: { params: named, observe: false },
  [deskMethods.restart]: { params: named, observe: false },
  [deskMethods.signIn]: { params: () => ({ agent: 'scripted', methodId: 'm' }), observe: false },
  [deskMethods.revoke]: { params: () => ({ id: 'answer' }), observe: false },
};

/** What the desk tells its clients. */
const toClients: ReadonlySet<string> = new Set([
  deskMethods.news,
  deskMethods.events,
  deskMethods.frames,
  deskMethods.terminal,
  deskMethods.log,
]);

test('each request that a client of the desk may send has a row', () => {
  const methods = new Set(['initialize', ...steering.keys(), ...Object.values(deskMethods)]);
  for (const method of toClients) methods.delete(method);
  expect(Object.keys(rows).toSorted()).toEqual([...methods].toSorted());
});

async function join(desk: Desk, scope: Actor): Promise<Connection> {
  const [near, far] = memoryPair();
  void desk.connect(far, { id: `token:${scope}`, name: scope, scope });
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

test.each(Object.entries(rows))('who may send %s to the desk', async (method, { params, observe }) => {
  const stage = await openDesk();
  const ada = await stage.join();
  const sessionId = await ada.start();
  for (const actor of ['observe', 'admin'] as const) {
    const client = await join(stage.desk, actor);
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
  const { desk, join: attend } = await openDesk({
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
  const client = await join(desk, 'observe');
  await client.request('initialize', { protocolVersion: 1 });

  await client.notify('session/cancel', { sessionId });
  await client.request(deskMethods.attend, {});
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

async function serve(desk: Desk): Promise<string> {
  const gateway = createGateway({ port: 0, tokens: () => tokens, routes: deskRoutes(desk) });
  await gateway.listen();
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return gateway.url;
}

test.each(Object.entries(apiRows))('who may ask for %s below /api', async (endpoint, { path, statuses }) => {
  const stage = await openDesk({ exportSession: () => Promise.resolve('text') });
  const url = await serve(stage.desk);
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
])('a token of scope %s that opens the desk gets %d', async (scope, status) => {
  const { desk } = await openDesk();
  const url = await serve(desk);
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
