import * as stable from '@parley/acp';
import { httpTransport } from '@parley/acp/http';
import * as unstable from '@parley/acp/unstable';
import { filesStore, SharedEventLogs } from '@parley/host';
import { agentMethods, changesMethods, hubMethods, worktreeMethods } from '@parley/host/hub';
import {
  connect,
  memoryPair,
  RpcError,
  webSocketTransport,
  type Connection,
  type Transport,
} from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { agentRequests as requestsAboutAgents } from '../../src/acp/requests/agent-requests.ts';
import { changesRequests } from '../../src/acp/requests/changes-requests.ts';
import { hubRequests } from '../../src/acp/requests/hub-requests.ts';
import { sessionRequests } from '../../src/acp/requests/session-requests.ts';
import { worktreeRequests } from '../../src/acp/requests/worktree-requests.ts';
import { apiAnswers } from '../../src/hub/api/api-route.ts';
import {
  apiRoute,
  createAcpRoutes,
  createGateway,
  toTokenRecord,
  type Hub,
  type Scope,
} from '../../src/index.ts';
import { toFields } from '../acp/plain-client.ts';
import { createGate, openHub, type HubStage } from '../hub/hub-stage.ts';

/** Who sends a message about a session of `owner`. Both `owner` and `other` have the scope `use`. */
type Actor = 'owner' | 'other' | 'admin' | 'observe';

/**
 * What becomes of a message.
 *
 * - `passes`: it is carried out, or fails for a reason of its own.
 * - `unknown`: -32002, in the same words as for a session that does not exist.
 * - `read-only`, `admin-only`: -32600.
 */
type Outcome = 'passes' | 'unknown' | 'read-only' | 'admin-only';

interface Row {
  readonly params: (sessionId: string, cwd: string) => object;
  readonly outcomes: Readonly<Record<Actor, Outcome>>;
}

const mcpServers: readonly never[] = [];
const named = (sessionId: string): object => ({ sessionId });
const allowed = { owner: 'passes', other: 'passes', admin: 'passes', observe: 'passes' } as const;
const beginning = { ...allowed, observe: 'read-only' } as const;
const looking = { ...allowed, other: 'unknown' } as const;
const changing = { ...looking, observe: 'read-only' } as const;
const lookingAtAll = { ...allowed, owner: 'admin-only', other: 'admin-only' } as const;
const administering = { ...lookingAtAll, observe: 'read-only' } as const;

/** Each method that a client may send, and what becomes of it. A new method needs a row here. */
const rows: Readonly<Record<string, Row>> = {
  // Each connection begins with it.
  initialize: { params: () => ({ protocolVersion: 1 }), outcomes: allowed },
  authenticate: { params: () => ({ methodId: 'key' }), outcomes: administering },
  logout: { params: () => ({}), outcomes: administering },
  'auth/status': { params: () => ({}), outcomes: allowed },
  'providers/list': { params: () => ({}), outcomes: administering },
  'providers/set': { params: () => ({ providerId: 'p' }), outcomes: administering },
  'providers/disable': { params: () => ({ providerId: 'p' }), outcomes: administering },
  'session/new': { params: (_, cwd) => ({ cwd, mcpServers }), outcomes: beginning },
  'session/list': { params: () => ({}), outcomes: allowed },
  'session/load': { params: (sessionId, cwd) => ({ sessionId, cwd, mcpServers }), outcomes: looking },
  'session/resume': { params: (sessionId, cwd) => ({ sessionId, cwd, mcpServers }), outcomes: looking },
  'session/fork': { params: (sessionId, cwd) => ({ sessionId, cwd, mcpServers }), outcomes: changing },
  'session/status': { params: named, outcomes: looking },
  'session/delete': { params: named, outcomes: changing },
  'session/archive': { params: named, outcomes: changing },
  'session/unarchive': { params: named, outcomes: changing },
  'session/set_title': { params: (sessionId) => ({ sessionId, title: 't' }), outcomes: changing },
  'session/close': { params: named, outcomes: changing },
  'session/set_mode': { params: (sessionId) => ({ sessionId, modeId: 'm' }), outcomes: changing },
  'session/set_config_option': {
    params: (sessionId) => ({ sessionId, configId: 'c', value: 'v' }),
    outcomes: changing,
  },
  'session/prompt': {
    params: (sessionId) => ({ sessionId, prompt: [{ type: 'text', text: 'go' }] }),
    outcomes: changing,
  },
  'mcp/message': { params: () => ({ connectionId: 'c', method: 'm' }), outcomes: allowed },
  [hubMethods.attend]: { params: () => ({}), outcomes: allowed },
  [hubMethods.look]: { params: () => ({ isLooking: true }), outcomes: allowed },
  [hubMethods.watch]: { params: named, outcomes: looking },
  [hubMethods.unwatch]: { params: named, outcomes: looking },
  [hubMethods.watchFrames]: { params: named, outcomes: looking },
  [hubMethods.unwatchFrames]: { params: named, outcomes: looking },
  [hubMethods.answers]: { params: () => ({}), outcomes: lookingAtAll },
  [hubMethods.answer]: {
    params: (sessionId) => ({ sessionId, requestId: 'q', answer: { kind: 'cancel' } }),
    outcomes: changing,
  },
  [hubMethods.steer]: {
    params: (sessionId) => ({ sessionId, prompt: [{ type: 'text', text: 'go' }] }),
    outcomes: changing,
  },
  [hubMethods.cancelSubagent]: {
    params: (sessionId) => ({ sessionId, subagent: 'child' }),
    outcomes: changing,
  },
  [hubMethods.queue]: {
    params: (sessionId) => ({ sessionId, change: { kind: 'go-on' } }),
    outcomes: changing,
  },
  // Sessions that the token does not see are ignored.
  [hubMethods.mark]: { params: (sessionId) => ({ sessionIds: [sessionId] }), outcomes: allowed },
  [hubMethods.rename]: { params: (sessionId) => ({ sessionId, title: 't' }), outcomes: changing },
  [hubMethods.cancel]: { params: named, outcomes: changing },
  [changesMethods.listChanges]: { params: named, outcomes: looking },
  [changesMethods.diffChanges]: { params: named, outcomes: looking },
  [changesMethods.changedContent]: {
    params: (sessionId) => ({ sessionId, path: 'a', side: 'after' }),
    outcomes: looking,
  },
  [changesMethods.undoChanges]: { params: named, outcomes: changing },
  [changesMethods.redoChanges]: { params: named, outcomes: changing },
  [changesMethods.keepHunks]: { params: (sessionId) => ({ sessionId, hunks: ['h'] }), outcomes: changing },
  [changesMethods.revertHunks]: { params: (sessionId) => ({ sessionId, hunks: ['h'] }), outcomes: changing },
  [changesMethods.commitChanges]: {
    params: (sessionId) => ({ sessionId, message: 'm' }),
    outcomes: changing,
  },
  [worktreeMethods.list]: { params: () => ({}), outcomes: allowed },
  [worktreeMethods.diff]: { params: named, outcomes: looking },
  [worktreeMethods.merge]: { params: named, outcomes: changing },
  [worktreeMethods.remove]: { params: named, outcomes: changing },
  [worktreeMethods.race]: {
    params: (_, cwd) => ({ cwd, agents: ['scripted'], prompt: 'go' }),
    outcomes: beginning,
  },
  [hubMethods.restart]: { params: named, outcomes: changing },
  [hubMethods.handOver]: { params: named, outcomes: changing },
  [hubMethods.machines]: { params: named, outcomes: looking },
  [agentMethods.signIn]: { params: () => ({ agent: 'scripted', methodId: 'm' }), outcomes: administering },
  [agentMethods.find]: { params: () => ({}), outcomes: allowed },
  [agentMethods.install]: { params: () => ({ agent: 'scripted' }), outcomes: administering },
  [agentMethods.cancelInstall]: { params: () => ({ agent: 'scripted' }), outcomes: administering },
  [agentMethods.add]: { params: () => ({ name: 'a', command: 'b' }), outcomes: administering },
  [agentMethods.remove]: { params: () => ({ agent: 'a' }), outcomes: administering },
  [agentMethods.openSignIn]: {
    params: () => ({ agent: 'scripted', methodId: 'm' }),
    outcomes: administering,
  },
  [agentMethods.typeSignIn]: { params: () => ({ terminalId: 't', text: 'x' }), outcomes: administering },
  [agentMethods.closeSignIn]: { params: () => ({ terminalId: 't' }), outcomes: administering },
  [agentMethods.models]: { params: () => ({}), outcomes: administering },
  [agentMethods.connectModel]: { params: () => ({ provider: 'p' }), outcomes: administering },
  [agentMethods.disconnectModel]: { params: () => ({ provider: 'p' }), outcomes: administering },
  [agentMethods.routeProvider]: {
    params: () => ({ agent: 'scripted', provider: 'p' }),
    outcomes: administering,
  },
  [hubMethods.revoke]: { params: () => ({ id: 'answer' }), outcomes: administering },
};

/** Methods that neither ACP nor the hub has: what is not known is treated as a change. */
const unknownRows: Readonly<Record<string, Row>> = {
  'session/set_model': { params: (sessionId) => ({ sessionId, modelId: 'm' }), outcomes: changing },
  '_own/of_session': { params: named, outcomes: changing },
  '_own/of_all': { params: () => ({}), outcomes: administering },
  '_own/hidden_name': {
    params: (sessionId) => ({ from: [{ parent_session_id: sessionId }] }),
    outcomes: administering,
  },
};

/** What the hub sends to its clients. */
const toClients: ReadonlySet<string> = new Set([
  hubMethods.update,
  hubMethods.events,
  hubMethods.frames,
  hubMethods.terminal,
  hubMethods.log,
  agentMethods.signInOutput,
]);

/** They are answered nothing: see the test of `session/cancel`. Requests are cancelled on the connection that made them. */
const notifications = ['session/cancel', '$/cancel_request'];

test('each request that a client of the hub may send has a row', () => {
  const methods = new Set([
    ...[stable, unstable].flatMap(({ agentRequests, agentNotifications, protocolNotifications }) => [
      ...Object.keys(agentRequests),
      ...Object.keys(agentNotifications),
      ...Object.keys(protocolNotifications),
    ]),
    ...sessionRequests.keys(),
    ...hubRequests.keys(),
    ...requestsAboutAgents.keys(),
    ...changesRequests.keys(),
    ...worktreeRequests.keys(),
    ...Object.values(hubMethods),
  ]);
  for (const method of [...toClients, ...notifications]) methods.delete(method);
  expect(Object.keys(rows).toSorted()).toEqual([...methods].toSorted());
});

const scopeOf: Readonly<Record<Actor, Scope>> = {
  owner: 'use',
  other: 'use',
  admin: 'admin',
  observe: 'observe',
};

const tokens = (['owner', 'other', 'admin', 'observe'] as const).map((name) =>
  toTokenRecord(name, { name, scope: scopeOf[name], id: `token:${name}` }),
);

async function serve(hub: Hub): Promise<string> {
  const acp = createAcpRoutes(hub);
  const routes = [...acp.routes, apiRoute(hub)];
  const gateway = createGateway({ port: 0, tokens: () => tokens, routes });
  await gateway.listen();
  onTestFinished(async () => {
    await acp.close();
    await gateway.close({ graceMs: 0 });
  });
  return gateway.url;
}

const transports: Readonly<Record<string, (url: string, actor: Actor) => Transport>> = {
  HTTP: (url, actor) => httpTransport(`${url}/acp`, { headers: { authorization: `Bearer ${actor}` } }),
  WebSocket: (url, actor) =>
    webSocketTransport(
      new WebSocket(`${url.replace('http', 'ws')}/acp`, { headers: { authorization: `Bearer ${actor}` } }),
    ),
};

async function join(transport: Transport): Promise<Connection> {
  const client = connect(transport, { onNotification: () => undefined });
  onTestFinished(() => client.close());
  await client.request('initialize', { protocolVersion: 1 });
  return client;
}

function inMemory(hub: Hub, actor: Actor): Transport {
  const [near, far] = memoryPair();
  void hub.connect(far, { principal: { id: `token:${actor}`, name: actor, scope: scopeOf[actor] } });
  return near;
}

async function begin(client: Connection, cwd: string): Promise<string> {
  const { sessionId } = toFields(await client.request('session/new', { cwd, mcpServers }));
  return String(sessionId);
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

/** Whether a refusal is about who asks. */
function isAboutAccess(refusal: unknown): boolean {
  const { message } = toFields(refusal);
  if (typeof message !== 'string') return false;
  return /^Unknown session|this token is read-only$|requires a token of the scope admin/u.test(message);
}

function expected(outcome: Outcome, method: string, sessionId: string): unknown {
  switch (outcome) {
    case 'passes':
      return undefined;
    case 'unknown':
      return { code: -32_002, message: `Unknown session: ${sessionId}`, data: { sessionId } };
    case 'read-only':
      return { code: -32_600, message: `${method}: this token is read-only` };
    case 'admin-only':
      return {
        code: -32_600,
        message: expect.stringContaining('requires a token of the scope admin') as string,
      };
  }
}

const actors: readonly Actor[] = ['owner', 'other', 'admin', 'observe'];

test.each(Object.entries({ ...rows, ...unknownRows }))(
  'who may send %s',
  async (method, { params, outcomes }) => {
    const stage = await openHub();
    const { hub, workspace: cwd } = stage;
    for (const actor of actors) {
      const sessionId = await begin(await join(inMemory(hub, 'owner')), cwd);
      const missing = `missing-${sessionId}`;
      const client = await join(inMemory(hub, actor));
      if (method === 'initialize') continue;
      const asked = stage.requests.length;
      const outcome = outcomes[actor];

      const refusal = await refusalOf(client, method, params(sessionId, cwd));

      if (outcome === 'passes') {
        expect(isAboutAccess(refusal), `${actor}: ${JSON.stringify(refusal)}`).toBe(false);
      } else {
        expect(refusal, actor).toEqual(expected(outcome, method, sessionId));
        expect(stage.requests).toHaveLength(asked);
      }
      if (actor === 'other') {
        expect(await refusalOf(client, method, params(missing, cwd)), 'a missing session').toEqual(
          outcome === 'passes' ? refusal : expected(outcome, method, missing),
        );
      }
    }
  },
);

test.each(Object.keys(transports))(
  'over %s, a list has the sessions that the token may see',
  async (name) => {
    const { hub, workspace: cwd } = await openHub();
    const url = await serve(hub);
    const client = (actor: Actor): Promise<Connection> => {
      const open = transports[name];
      if (open === undefined) throw new Error(`no transport ${name}`);
      return join(open(url, actor));
    };
    const own = await begin(await client('owner'), cwd);
    const others = await begin(await client('other'), cwd);
    const admins = await begin(await client('admin'), cwd);
    const listed = async (actor: Actor): Promise<readonly string[]> => {
      const { sessions } = toFields(await (await client(actor)).request('session/list', {}));
      return (sessions as readonly { readonly sessionId: string }[])
        .map(({ sessionId }) => sessionId)
        .toSorted();
    };

    expect(await listed('owner')).toEqual([own]);
    expect(await listed('other')).toEqual([others]);
    expect(await listed('admin')).toEqual([own, others, admins].toSorted());
    expect(await listed('observe')).toEqual([own, others, admins].toSorted());
  },
);

test('a client sees only what its token may see', async () => {
  const stage = await openHub();
  const { hub, workspace: cwd } = stage;
  const own = await stage.join('owner', 'use');
  const other = await stage.join('other', 'use');
  const observe = await stage.join('observe', 'observe');
  const sessionId = await own.start();
  await begin(await join(inMemory(hub, 'admin')), cwd);

  await observe.until(() => observe.sessions.size === 2);
  await own.until(() => own.sessions.has(sessionId));
  expect(own.sessions.size).toBe(1);
  expect(other.sessions.size).toBe(0);
  const late = await stage.join('other', 'use');
  expect(late.sessions.size).toBe(0);
});

test('the owner of a session is stored across restarts of the hub', async () => {
  const first = await openHub();
  const { workspace: cwd } = first;
  const sessionId = await begin(await join(inMemory(first.hub, 'owner')), cwd);
  await first.hub.close();

  const second = await openHub({
    workspaces: [cwd],
    eventLogs: new SharedEventLogs({ store: filesStore(first.eventLogs), program: 'test 2' }),
  });
  const load = { sessionId, cwd, mcpServers };

  expect(await refusalOf(await join(inMemory(second.hub, 'other')), 'session/load', load)).toMatchObject({
    code: -32_002,
  });
  expect(await refusalOf(await join(inMemory(second.hub, 'owner')), 'session/load', load)).toBeUndefined();
});

test('answering a sign-in requires admin: it signs in all sessions of that agent', async () => {
  const { hub, workspace: cwd } = await openHub();
  const owner = await join(inMemory(hub, 'owner'));
  const sessionId = await begin(owner, cwd);
  const about = { sessionId, requestId: 'none' };
  const signIn = { ...about, answer: { kind: 'sign-in', methodId: 'key' } };
  const admin = await join(inMemory(hub, 'admin'));

  expect(await refusalOf(owner, hubMethods.answer, signIn)).toEqual({
    code: -32_600,
    message: `${hubMethods.answer}: signing in to an agent requires a token of scope admin`,
  });
  // There is no such question: a client that may answer one learns that.
  expect(await refusalOf(admin, hubMethods.answer, signIn)).toMatchObject({ code: -32_002 });
  const decline = { ...about, answer: { kind: 'cancel' } };
  expect(await refusalOf(owner, hubMethods.answer, decline)).toMatchObject({ code: -32_002 });
});

test.each(['project', 'user'])(
  'an answer for the %s is for admin: it decides in the sessions of other tokens too',
  async (scope) => {
    const { hub, workspace: cwd } = await openHub();
    const owner = await join(inMemory(hub, 'owner'));
    const sessionId = await begin(owner, cwd);
    const answer = (wanted: string): object => ({
      sessionId,
      requestId: 'none',
      answer: { kind: 'remember', decision: 'allow', scope: wanted },
    });

    expect(await refusalOf(owner, hubMethods.answer, answer(scope))).toMatchObject({ code: -32_600 });
    expect(await refusalOf(owner, hubMethods.answer, answer('session'))).toMatchObject({ code: -32_002 });
  },
);

test('a fork belongs to the token that created it', async () => {
  const { hub, workspace: cwd } = await openHub({
    agent: { capabilities: { loadSession: true, sessionCapabilities: { fork: {} } } as object },
  });
  const origin = await begin(await join(inMemory(hub, 'owner')), cwd);
  const { sessionId } = toFields(
    await (
      await join(inMemory(hub, 'admin'))
    ).request('session/fork', { sessionId: origin, cwd, mcpServers }),
  );

  const prompt = { sessionId, prompt: [{ type: 'text', text: 'go' }] };
  const owner = await join(inMemory(hub, 'owner'));
  expect(await refusalOf(owner, 'session/prompt', prompt)).toMatchObject({ code: -32_002 });
});

test('access is checked for sessions named in _meta and in the params of an extension', async () => {
  const { hub, workspace: cwd } = await openHub();
  const owner = await join(inMemory(hub, 'owner'));
  const own = await begin(owner, cwd);
  const others = await begin(await join(inMemory(hub, 'other')), cwd);
  const hidden = { cwd, mcpServers, _meta: { vendor: { options: [{ resumeSessionId: others }] } } };

  expect(await refusalOf(owner, 'session/new', hidden)).toMatchObject({ code: -32_002 });
  const merge = { sessionId: own, session_ids: [own, others] };
  expect(await refusalOf(owner, '_own/merge', merge)).toMatchObject({ code: -32_002 });
});

test('an observe client cannot add servers or folders to a session that it loads', async () => {
  const { hub, workspace: cwd } = await openHub();
  const sessionId = await begin(await join(inMemory(hub, 'owner')), cwd);
  const client = await join(inMemory(hub, 'observe'));
  const load = { sessionId, cwd, mcpServers };
  const server = { type: 'http', name: 's', url: 'https://example.com', headers: [] };

  for (const params of [
    { ...load, mcpServers: [server] },
    { ...load, _meta: { vendor: { allow: true } } },
  ]) {
    expect(await refusalOf(client, 'session/load', params)).toMatchObject({ code: -32_600 });
  }
  expect(await refusalOf(client, 'session/load', load)).toBeUndefined();
});

test.each(['other', 'observe'] as const)('session/cancel of %s cancels nothing', async (actor) => {
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
  const client = await join(inMemory(hub, actor));

  await client.notify('session/cancel', { sessionId });
  await client.request(hubMethods.attend, {});
  goOn.open();

  expect(await answered).toEqual({ stopReason: 'end_turn' });
});

interface ApiRow {
  readonly path: (sessionId: string) => string;
  /** `use` about a session of another token. */
  readonly statuses: Readonly<Record<Scope, number>>;
}

/** Each answer below `/api`. A new one needs a row here. */
const apiRows: Readonly<Record<string, ApiRow>> = {
  'GET hub': { path: () => 'hub', statuses: { admin: 200, observe: 200, use: 200 } },
  'GET search': { path: () => 'search?q=go', statuses: { admin: 200, observe: 200, use: 200 } },
  'GET usage': { path: () => 'usage', statuses: { admin: 200, observe: 200, use: 200 } },
  'GET sessions/*/export': {
    path: (key) => `sessions/${key}/export`,
    statuses: { admin: 200, observe: 200, use: 404 },
  },
  'GET folders': { path: () => 'folders', statuses: { admin: 200, observe: 403, use: 200 } },
  'GET files': { path: (key) => `files?session=${key}`, statuses: { admin: 200, observe: 403, use: 404 } },
  'POST agents/*/probe': {
    path: () => 'agents/scripted/probe',
    statuses: { admin: 200, observe: 403, use: 403 },
  },
};

test('each route below /api has a row', () => {
  expect(Object.keys(apiRows).toSorted()).toEqual([...apiAnswers.keys()].toSorted());
});

test.each(Object.entries(apiRows))('access to %s below /api', async (endpoint, { path, statuses }) => {
  const stage: HubStage = await openHub({ exportSession: () => Promise.resolve('text') });
  const url = await serve(stage.hub);
  const sessionId = await (await stage.join()).start();
  const [method = ''] = endpoint.split(' ');
  for (const [actor, scope] of [
    ['admin', 'admin'],
    ['observe', 'observe'],
    ['other', 'use'],
  ] as const) {
    const headers = { authorization: `Bearer ${actor}` };
    const answer = await fetch(`${url}/api/${path(sessionId)}`, { method, headers });
    const text = await answer.text();

    expect(answer.status, scope).toBe(statuses[scope]);
    if (scope === 'use') expect(text).not.toContain('"key"');
  }
});
