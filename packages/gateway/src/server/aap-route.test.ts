import { connect as connectHttp2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { createAapServer, type ServedAgent } from '@parley/aap/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toTokenRecord, type TokenTraits } from '../access/token.ts';
import { aapRoute } from './aap-route.ts';
import { createGateway, type Gateway } from './create-gateway.ts';

const echo: ServedAgent = {
  info: { name: 'echo', version: '1.0.0', capabilities: { stream: { delta: {} } } },
  run: async (run) => {
    await run.text('hello');
    return { stopReason: 'end_turn' };
  },
};

const principals: readonly TokenTraits[] = [
  { name: 'owner', scope: 'admin' },
  { name: 'watcher', scope: 'observe' },
  { name: 'ann', scope: 'use' },
  { name: 'bob', scope: 'use' },
];

let gateway: Gateway;

beforeEach(async () => {
  gateway = createGateway({
    port: 0,
    tokens: () => principals.map((principal) => toTokenRecord(`${principal.name}-token`, principal)),
    routes: [aapRoute(createAapServer([echo], { basePath: '/aap' }))],
  });
  await gateway.listen();
});

afterEach(() => gateway.close({ graceMs: 0 }));

test('row 10: the session of another token is 404, not 403', async () => {
  const path = `/sessions/${await createSession('ann')}`;

  expect(await statusOf('ann', path)).toBe(200);
  expect(await statusOf('bob', path)).toBe(404);
  expect(await (await ask('bob', '/sessions')).json()).toEqual({ sessions: [] });
});

test('an observer sees all sessions, and changes nothing', async () => {
  const ids = [await createSession('owner'), await createSession('ann'), await createSession('bob')];

  expect(await sessionsOf('watcher')).toEqual(new Set(ids));
  for (const id of ids) {
    const path = `/sessions/${id}`;
    expect(await statusOf('watcher', path)).toBe(200);
    expect(await statusOf('watcher', `${path}/turns`)).toBe(200);
    expect(await statusOf('watcher', path, { method: 'DELETE' })).toBe(403);
    expect(await statusOf('watcher', `${path}/turns`, { method: 'POST', body: turn })).toBe(403);
    expect(await statusOf('watcher', `${path}/turns/x/cancel`, { method: 'POST' })).toBe(403);
  }
  expect(await statusOf('watcher', '/sessions', { method: 'POST', body: '{"agent":{"name":"echo"}}' })).toBe(
    403,
  );
});

test("the owner sees, continues and ends all sessions; others do not see the owner's", async () => {
  const id = await createSession('ann');
  const own = await createSession('owner');

  expect(await sessionsOf('owner')).toEqual(new Set([id, own]));
  expect(await sessionsOf('ann')).toEqual(new Set([id]));
  expect(await statusOf('owner', `/sessions/${id}/turns`, { method: 'POST', body: turn })).toBe(200);
  expect(await statusOf('ann', `/sessions/${own}`)).toBe(404);
  expect(await statusOf('owner', `/sessions/${id}`, { method: 'DELETE' })).toBe(204);
  expect(await statusOf('ann', `/sessions/${id}`)).toBe(404);
});

test('a request has one id, also in the response', async () => {
  const answer = await ask('ann', '/sessions/missing');
  const { requestId } = (await answer.json()) as { readonly requestId: string };

  expect(answer.headers.get('x-request-id')).toBe(requestId);
});

test('a turn is streamed event by event, over HTTP/1 and over HTTP/2 alike', async () => {
  const path = `/sessions/${await createSession('ann')}/turns`;
  const first = await (await ask('ann', path, { method: 'POST', body: turn })).text();
  const session = connectHttp2(gateway.url);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/aap${path}`,
    authorization: 'Bearer ann-token',
    'content-type': 'application/json',
  });
  stream.end(turn);
  const second = await text(stream);
  await new Promise<void>((resolve) => {
    session.close(resolve);
  });

  expect(namesIn(first)).toEqual(['turn_start', 'text_delta', 'turn_stop']);
  expect(namesIn(second)).toEqual(namesIn(first));
});

const turn = JSON.stringify({ stream: 'delta', messages: [{ role: 'user', content: 'hi' }] });

function ask(name: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${name}-token`, 'content-type': 'application/json' };
  return fetch(`${gateway.url}/aap${path}`, { ...init, headers });
}

async function statusOf(name: string, path: string, init: RequestInit = {}): Promise<number> {
  return (await ask(name, path, init)).status;
}

async function sessionsOf(name: string): Promise<ReadonlySet<string>> {
  const { sessions } = (await (await ask(name, '/sessions')).json()) as {
    readonly sessions: readonly { readonly sessionId: string }[];
  };
  return new Set(sessions.map(({ sessionId }) => sessionId));
}

async function createSession(name: string): Promise<string> {
  const answer = await ask(name, '/sessions', { method: 'POST', body: '{"agent":{"name":"echo"}}' });
  return ((await answer.json()) as { readonly sessionId: string }).sessionId;
}

function namesIn(events: string): readonly (string | undefined)[] {
  return [...events.matchAll(/^event: (\w+)$/gmu)].map(([, name]) => name);
}
