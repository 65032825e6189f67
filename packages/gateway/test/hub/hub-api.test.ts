import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentStart } from '@parley/host';
import type { AgentCard } from '@parley/host/hub';
import type { Transport } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { Hub } from '../../src/hub/create-hub.ts';
import { apiRoute, createAcpRoutes, createGateway, toTokenRecord } from '../../src/index.ts';
import { folder, scriptedAgent } from '../scripted-agent.ts';
import { openHub } from './hub-stage.ts';

const tokens = [
  toTokenRecord('admin-token', { name: 'ada', scope: 'admin' }),
  toTokenRecord('observe-token', { name: 'eve', scope: 'observe' }),
  toTokenRecord('use-token', { name: 'app', scope: 'use' }),
];

/** A server with a hub; gives its address. */
async function serve(hub: Hub): Promise<string> {
  const acp = createAcpRoutes(hub);
  const routes = [...acp.routes, apiRoute(hub)];
  const gateway = createGateway({ port: 0, tokens: () => tokens, routes });
  onTestFinished(() => acp.close());
  await gateway.listen();
  onTestFinished(() => gateway.close({ graceMs: 0 }));
  return gateway.url;
}

async function ask(url: string, token: string, method = 'GET'): Promise<Response> {
  return fetch(url, { method, headers: { authorization: `Bearer ${token}` } });
}

test('the JSON API serves the hub, its sessions, folders and files to tokens that may see them', async () => {
  const stage = await openHub({
    agent: { turn: ({ say }) => say('the answer is 42') },
    exportSession: (kept, format) => Promise.resolve(`${format} of ${kept}`),
  });
  await mkdir(join(stage.workspace, 'src'));
  await writeFile(join(stage.workspace, 'src', 'main.ts'), '');
  await writeFile(join(stage.workspace, 'README.md'), '');
  const ada = await stage.join();
  const key = await ada.start();
  await ada.prompt(key, 'the question');
  const url = await serve(stage.hub);
  const get = async (path: string, token = 'admin-token'): Promise<unknown> =>
    (await ask(`${url}/api/${path}`, token)).json();

  expect(await get('hub', 'observe-token')).toMatchObject({
    person: 'eve',
    scope: 'observe',
    workspaces: [stage.workspace],
    agents: [{ name: 'scripted', isDefault: true, signIn: 'unknown' }],
    sessions: [{ key, title: 'the question', state: 'ready' }],
  });
  expect(await get('search?q=ANSWER', 'observe-token')).toEqual({ hits: [] });
  expect(await get('search?q=answer', 'observe-token')).toMatchObject({
    hits: [{ key, role: 'agent', excerpt: 'the answer is 42', start: 4, end: 10, title: 'the question' }],
  });
  expect(await get('usage?days=2', 'observe-token')).toMatchObject({
    from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/u) as string,
    usage: [{ agent: 'scripted', cwd: stage.workspace, turns: 1, cost: {} }],
  });
  expect(await get('usage', 'use-token')).toMatchObject({ usage: [] });
  expect(await get(`sessions/${key}/export?format=xml`)).toMatchObject({ code: 'invalid_format' });
  expect(await get('sessions/unknown/export')).toMatchObject({ code: 'not_found' });
  const exported = await ask(`${url}/api/sessions/${key}/export`, 'observe-token');
  expect(await exported.text()).toBe(`markdown of ${key}`);
  expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="${key}.md"`);
  expect(await get('folders')).toEqual({
    path: stage.workspace,
    folders: [{ name: 'src', path: join(stage.workspace, 'src') }],
  });
  expect(await get(`folders?path=${encodeURIComponent(join(stage.workspace, 'src'))}`)).toMatchObject({
    parent: stage.workspace,
    folders: [],
  });
  for (const path of ['/', join(stage.workspace, 'README.md'), join(stage.workspace, 'nobody'), '\0', '..']) {
    const asked = `folders?path=${encodeURIComponent(path)}`;
    expect(await get(asked)).toMatchObject({ code: 'not_found' });
  }
  expect(await get(`files?session=${key}&q=ma`)).toEqual({ files: ['src/main.ts'] });
  const src = encodeURIComponent(join(stage.workspace, 'src'));
  expect(await get(`files?path=${src}&q=ma`)).toEqual({ files: ['main.ts'] });
  expect(await get('files?path=/etc&q=')).toMatchObject({ code: 'not_found' });
  expect(await get(`files?session=${key}&q=`, 'observe-token')).toMatchObject({ code: 'insufficient_scope' });
  expect(await get('other')).toMatchObject({ code: 'not_found' });
  // Of the sessions of others, a token of the scope `use` learns nothing.
  expect(await get('hub', 'use-token')).toMatchObject({ person: 'app', scope: 'use', sessions: [] });
  expect(await get('search?q=answer', 'use-token')).toEqual({ hits: [] });
  expect(await get(`sessions/${key}/export`, 'use-token')).toMatchObject({ code: 'not_found' });
  expect(await get(`files?session=${key}&q=`, 'use-token')).toMatchObject({ code: 'not_found' });
  expect((await ask(`${url}/api/hub`, 'nobody')).status).toBe(401);
  expect((await ask(`${url}/api/hub`, 'admin-token', 'HEAD')).status).toBe(200);
});

test("a probe shows an agent's capabilities, and leaves no session", async () => {
  const stage = await openHub({ agent: { capabilities: { sessionCapabilities: { delete: {} } } } });
  const ada = await stage.join();
  const url = await serve(stage.hub);

  const card = (await (
    await ask(`${url}/api/agents/scripted/probe`, 'admin-token', 'POST')
  ).json()) as AgentCard;

  expect(card).toMatchObject({ info: { name: 'scripted' }, protocolVersion: 1, signInMethods: [], log: '' });
  expect(stage.requests).toEqual(['session/new', 'session/delete']);
  await ada.until(() => ada.agents[0]?.card !== undefined);
  expect(ada.agents).toMatchObject([{ signIn: 'not-needed', card: { info: { name: 'scripted' } } }]);
  expect((await ask(`${url}/api/agents/unknown/probe`, 'admin-token', 'POST')).status).toBe(404);
  expect((await ask(`${url}/api/agents/scripted/probe`, 'observe-token', 'POST')).status).toBe(403);
});

test('an agent is probed in an empty folder, which is removed', async () => {
  const script = join(await folder(), 'agent.mjs');
  await writeFile(script, agentThatReportsItsFolder);
  const stage = await openHub({
    agents: [
      {
        name: 'scripted',
        place: 'configured',
        spec: { name: 'scripted', reach: { by: 'command', command: process.execPath, args: [script] } },
      },
    ],
  });

  const card = await Hub.sessionsOf(stage.hub).agents.probe('scripted');

  const [was = '', holds] = (card?.info?.version ?? '').split('\n');
  expect(holds).toBe('0');
  expect(was).not.toBe(stage.workspace);
  await expect(access(was)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('probes beyond the limit wait, and closing the hub ends them', async () => {
  const started: string[] = [];
  let finish = (): void => undefined;
  const isSecond = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { reach } = scriptedAgent().spec;
  const connect = async (name: string, start: AgentStart): Promise<Transport> => {
    started.push(name);
    if (name === 'first' && reach.by === 'transport') return reach.connect(start);
    finish();
    return new Promise((_resolve, reject) => {
      start.signal?.addEventListener('abort', () => reject(new Error('not wanted')));
    });
  };
  const { hub } = await openHub({
    agents: ['first', 'second', 'third'].map((name) => ({
      name,
      place: 'configured',
      spec: { name, reach: { by: 'transport', connect: (start) => connect(name, start) } },
    })),
    defaultAgent: 'first',
    limits: { probes: 1 },
  });

  const looks = ['first', 'second', 'third'].map(async (name) => Hub.sessionsOf(hub).agents.probe(name));
  const ends = Promise.allSettled(looks);
  await isSecond;
  await hub.close();

  expect(await ends).toMatchObject([
    { value: { info: { name: 'scripted' } } },
    { value: { failure: expect.any(String) as string } },
    { status: 'rejected' },
  ]);
  expect(started).toEqual(['first', 'second']);
});

/** Says as its version where it is, and how many files are there. */
const agentThatReportsItsFolder = `
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
const version = [process.cwd(), readdirSync('.').length].join('\\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const result =
    method === 'initialize'
      ? { protocolVersion: 1, agentInfo: { name: 'here', version }, agentCapabilities: {} }
      : { sessionId: 'one' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
`;

test('a WebSocket requires a token and an allowed origin', async () => {
  const stage = await openHub();
  const url = await serve(stage.hub);
  const open = (headers: Readonly<Record<string, string>>): Promise<unknown> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/acp`, { headers });
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => {
        socket.close();
        resolve(JSON.parse(data.toString()));
      });
      socket.on('open', () => {
        socket.send(
          JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
        );
      });
    });
  const authorization = 'Bearer admin-token';

  expect(await open({ authorization, origin: url })).toMatchObject({ result: { protocolVersion: 1 } });
  expect(await open({ authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await open({ authorization: 'Bearer use-token' })).toMatchObject({ result: { protocolVersion: 1 } });
  expect(await open({})).toBe(401);
});
