import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createClient, type ClientConnection, type SessionUpdate } from '@parley/acp';
import { httpTransport, type Fetch } from '@parley/acp/http';
import { serveAgent } from '@parley/agent/node';
import { memoryPair, webSocketTransport, type Transport } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createAcpRoutes, createGateway, toTokenRecord } from '../src/index.ts';
import { openHub } from './hub/hub-stage.ts';

const headers = { Authorization: 'Bearer a-token' };

const ways: readonly [name: string, open: (url: string) => Transport][] = [
  ['streamable HTTP/1.1', (url) => httpTransport(url, { headers })],
  ['streamable HTTP/2', (url) => httpTransport(url, { headers, fetch: http2Fetch(url) })],
  ['a WebSocket', (url) => webSocketTransport(new WebSocket(url.replace('http', 'ws'), { headers }))],
];

test.each(ways)('a complete conversation works over %s', async (_name, open) => {
  const folder = await temporaryFolder();
  const url = await serve(folder);
  await writeFile(path.join(folder, 'a.txt'), 'the content of a');
  const updates: SessionUpdate[] = [];
  const asked: string[] = [];
  const join = (): ClientConnection => {
    const client = createClient({
      info: { name: 'test', version: '1' },
      handlers: {
        'session/update': ({ update }) => void updates.push(update),
        'session/request_permission': ({ toolCall, options }) => {
          asked.push(toolCall.title ?? '');
          const option = options.find(({ kind }) => kind === 'allow_once');
          return { outcome: { outcome: 'selected', optionId: option?.optionId ?? '' } };
        },
      },
    });
    const connection = client.connect(open(url));
    onTestFinished(() => connection.close());
    return connection;
  };
  const said = (): string =>
    updates
      .flatMap((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
          ? [update.content.text]
          : [],
      )
      .join('');

  const first = join();
  await first.initialize();
  const { sessionId } = await first.agent.request('session/new', { cwd: folder, mcpServers: [] });
  const prompt = (connection: ClientConnection, text: string): Promise<{ readonly stopReason: string }> =>
    connection.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

  await expect(prompt(first, 'read a.txt\nwrite b.txt: new\nsay: done')).resolves.toMatchObject({
    stopReason: 'end_turn',
  });
  expect(asked).toEqual([expect.stringContaining('b.txt')]);
  expect(await readFile(path.join(folder, 'b.txt'), 'utf8')).toBe('new');
  expect(JSON.stringify(updates)).toContain('the content of a');
  expect(said()).toContain('done');

  const long = 'ü'.repeat(2_500_000);
  updates.length = 0;
  await expect(prompt(first, `say: ${long}`)).resolves.toMatchObject({ stopReason: 'end_turn' });
  expect(said().length).toBeGreaterThanOrEqual(long.length);

  updates.length = 0;
  const sleeping = prompt(first, 'say: now\nsleep 60');
  await expect.poll(said).toContain('now');
  await first.agent.notify('session/cancel', { sessionId });
  await expect(sleeping).resolves.toMatchObject({ stopReason: 'cancelled' });
  await first.close();

  updates.length = 0;
  const second = join();
  await second.initialize();
  await second.agent.request('session/load', { sessionId, cwd: folder, mcpServers: [] });
  // All that is replayed has come before the answer, in order.
  expect(
    updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk').length,
  ).toBeGreaterThanOrEqual(3);
  expect(said()).toContain(long);
  expect(said().indexOf('done')).toBeLessThan(said().indexOf('now'));
  await expect(prompt(second, 'say: again')).resolves.toMatchObject({ stopReason: 'end_turn' });
});

test('the trace context of a request reaches the agent, and is in its updates', async () => {
  const folder = await temporaryFolder();
  const url = await serve(folder);
  const traced: unknown[] = [];
  const client = createClient({
    info: { name: 'test', version: '1' },
    handlers: {
      'session/update': ({ _meta }) => void traced.push(_meta?.['traceparent']),
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
    },
  });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const connection = client.connect(httpTransport(url, { headers: { ...headers, traceparent } }));
  onTestFinished(() => connection.close());
  await connection.initialize();
  const { sessionId } = await connection.agent.request('session/new', { cwd: folder, mcpServers: [] });
  await connection.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'say: hello' }],
  });
  expect(traced.length).toBeGreaterThan(0);
  expect(new Set(traced)).toEqual(new Set([traceparent]));
});

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-remote-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Our own agent with its offline model, behind a gateway. */
async function serve(folder: string): Promise<string> {
  const stateDirectory = await temporaryFolder();
  const connect = (): Transport => {
    const [client, agent] = memoryPair();
    serveAgent({ transport: agent, stateDirectory, variables: {} });
    return client;
  };
  const { hub } = await openHub({
    agents: [{ name: 'own', place: 'own', spec: { name: 'own', reach: { by: 'transport', connect } } }],
    defaultAgent: 'own',
    workspaces: [folder],
  });
  const acp = createAcpRoutes(hub);
  const gateway = createGateway({
    port: 0,
    routes: acp.routes,
    tokens: () => [toTokenRecord('a-token', { name: 'test', scope: 'use' })],
  });
  await gateway.listen();
  onTestFinished(async () => {
    await acp.close();
    await gateway.close({ graceMs: 0 });
  });
  return `${gateway.url}/acp`;
}

/** `fetch` over one connection of HTTP/2. */
function http2Fetch(url: string): Fetch {
  const { origin, pathname } = new URL(url);
  let session: ClientHttp2Session | undefined;
  onTestFinished(() => session?.destroy());
  return (_url, { method = 'GET', headers: wanted, body, signal }) => {
    session ??= connectHttp2(origin);
    const stream = session.request({
      ...Object.fromEntries(new Headers(wanted)),
      ':method': method,
      ':path': pathname,
    });
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => stream.close());
    stream.end(typeof body === 'string' ? body : undefined);
    return new Promise((resolve, reject) => {
      stream.once('error', reject);
      stream.once('response', ({ ':status': status = 0, ...answered }) => {
        const fields = Object.entries(answered).filter(([name]) => !name.startsWith(':'));
        const content = status === 202 ? null : (Readable.toWeb(stream) as ReadableStream<Uint8Array>);
        if (content === null) stream.resume();
        resolve(
          new Response(content, { status, headers: fields.map(([name, value]) => [name, String(value)]) }),
        );
      });
    });
  };
}
