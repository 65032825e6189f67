import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createAapServer, type Run, type RunEnd } from '@parley/aap/server';
import { createClient } from '@parley/acp';
import { defaultLimits, openHttpServer } from '@parley/gateway';
import { streamTransport } from '@parley/wire/node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { exitStatus } from '../src/exit-status.ts';
import { proxyAap, type AapProxyFlags } from '../src/proxy/proxy-aap.ts';
import {
  commandFile,
  configureAgent,
  finish,
  parley,
  startParley,
  stopOf,
  temporaryFolder,
  toLines,
} from './command.ts';

const require = createRequire(import.meta.url);
const everything = path.join(
  require.resolve('@modelcontextprotocol/server-everything/package.json'),
  '..',
  'dist',
  'index.js',
);

const tools = [{ name: 'edit', description: 'Edits.', parameters: { type: 'object' } }];

interface Served extends AsyncDisposable {
  readonly url: string;
}

/** An agent that does what the test says, behind AAP on a port of this machine, for who has the key. */
async function serve(run: (run: Run) => Promise<RunEnd | void>, names = ['tester']): Promise<Served> {
  const server = createAapServer(
    names.map((name) => ({
      info: {
        name,
        version: '1.0.0',
        tools,
        capabilities: { stream: { delta: {} }, history: { full: {} }, application: { tools: {} } },
      },
      run: async (each: Run) => (await run(each)) ?? { stopReason: 'end_turn' as const },
    })),
    {
      basePath: '/aap',
      limits: { quietMs: 1 },
      authorize: (request) =>
        request.headers.get('authorization') === 'Bearer key' ? { tenant: 'test' } : undefined,
    },
  );
  const http = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    limits: defaultLimits,
    fetch: (request) => server.handle(request),
    upgrade: async () => new Response(null, { status: 400 }),
    onFault: (error) => {
      throw error;
    },
  });
  return {
    url: `http://127.0.0.1:${http.port}/aap`,
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 });
      await http.close({ graceMs: 0 });
    },
  };
}

async function edit(run: Run): Promise<void> {
  const { granted } = await run.permission({ toolCallId: 'c1', name: 'edit', input: { path: 'a.ts' } });
  if (granted) await run.toolResult({ toolCallId: 'c1', content: 'Edited.' });
  await run.text(granted ? 'It is done.' : 'I may not.');
}

let home = '';

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'parley-proxy-'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** The proxy without a process of its own. */
function startProxy(
  flags: AapProxyFlags,
  env: Readonly<Record<string, string>> = { PARLEY_TOKEN: 'key', PARLEY_HOME: home },
): {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly errors: PassThrough;
  readonly status: Promise<number>;
} {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const status = proxyAap(flags, { stdin: input, stdout: output, stderr: errors, env, cwd: '/work' });
  void status.finally(() => errors.end()).catch(() => undefined);
  return { input, output, errors, status };
}

test('parley run drives an agent behind AAP', async () => {
  await using folder = await temporaryFolder();
  await using served = await serve(edit);
  const proxy = [process.execPath, commandFile, 'proxy', '--aap', served.url, '--agent', 'tester'];
  await configureAgent(folder.path, 'far', { words: proxy, env: { PARLEY_TOKEN: 'key' } });
  const { status, stdout, stderr } = await parley(
    ['run', '--format', 'json', '--approve', 'edits', '-a', 'far', 'Go.'],
    { cwd: folder.path },
  );
  const lines = toLines(stdout);
  expect(stopOf(lines)).toMatchObject({ stopReason: 'end_turn' });
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'permission', toolCallId: 'c1', decision: 'allow' }),
  );
  expect(stdout).toContain('It is done.');
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('the MCP servers of the client run here, and an agent elsewhere uses their tools', async () => {
  await using folder = await temporaryFolder();
  await using served = await serve(async (run) => {
    const call = { toolCallId: 't1', name: 'mcp__every__echo', input: { message: 'here I am' } };
    await run.text(`It says: ${JSON.stringify(await run.callClientTool(call))}`);
  });
  const mcpServers = { every: { command: process.execPath, args: [everything, 'stdio'] } };
  await writeFile(path.join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers }));
  const proxy = [process.execPath, commandFile, 'proxy', '--aap', served.url];
  await configureAgent(folder.path, 'far', { words: proxy, env: { PARLEY_TOKEN: 'key' } });
  const { status, stdout } = await parley(
    ['run', '--format', 'json', '--approve', 'all', '--mcp-config', 'mcp.json', '-a', 'far', 'Go.'],
    { cwd: folder.path },
  );
  const lines = toLines(stdout);
  expect(lines).toContainEqual(expect.objectContaining({ type: 'permission', toolCallId: 't1' }));
  expect(stdout).toContain('Echo: here I am');
  expect(stopOf(lines)).toMatchObject({ stopReason: 'end_turn' });
  expect(status).toBe(0);
});

test('at the end of input a turn is cancelled at the server', async () => {
  const reasons: unknown[] = [];
  await using served = await serve(async (run) => {
    await run.text('Wait.');
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
    reasons.push(run.signal.reason);
  });
  const { input, output, status } = startProxy({ aap: served.url });
  const connection = createClient({
    info: { name: 'test', version: '1.0.0' },
    handlers: {
      'session/update': () => void input.end(),
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
    },
  }).connect(streamTransport({ input: output, output: input }));
  await connection.initialize();
  const { sessionId } = await connection.agent.request('session/new', { cwd: '/work', mcpServers: [] });
  const prompt = connection.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'Go.' }],
  });
  await Promise.allSettled([prompt]);
  expect(await status).toBe(exitStatus.done);
  expect(reasons).toEqual(['cancelled']);
});

test('a wrong key is reported with its own exit status', async () => {
  await using served = await serve(edit);
  const { status, errors } = startProxy({ aap: served.url, token: 'wrong' });
  expect(await status).toBe(exitStatus.authenticationNeeded);
  const said = await text(errors);
  expect(said).toMatch(/401.*set PARLEY_TOKEN/);
  expect(said).toMatch(/other users of this machine can see the key/);
  expect(said).not.toContain('wrong');
});

test.each([
  ['no server listens there', 'http://127.0.0.1:9/aap', [], 1, 'GET /meta: no answer'],
  ['the address is none', 'ftp://example.com', [], 2, '--aap: expected an address'],
  ['the key is a wrong one', '', ['--token', 'wrong'], 7, '401'],
  ['there is no such agent', '', ['--agent', 'three'], 2, '--agent: not one of tester'],
])(
  'when it cannot start because %s, initialize is answered with an error, and said',
  async (_why, url, words, expected, message) => {
    await using folder = await temporaryFolder();
    await using served = await serve(edit);
    const child = startParley(['proxy', '--aap', url === '' ? served.url : url, ...words], {
      cwd: folder.path,
      ...(!words.includes('--token') && { env: { PARLEY_TOKEN: 'key' } }),
    });
    const finished = finish(child);
    const hello = (id: number): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: 1 } })}\n`;
    child.stdin.write(hello(1) + hello(2));
    const { status, stdout, stderr } = await finished;
    expect(status).toBe(expected);
    expect(stderr).toContain(message);
    const answers = stdout.trim().split('\n');
    expect(answers.map((line): unknown => JSON.parse(line))).toMatchObject([
      { id: 1, error: { code: -32603, message: expect.stringContaining(message) } },
      { id: 2, error: { code: -32603, message: expect.stringContaining(message) } },
    ]);
  },
);

test('a server that never lists its agents fails after limits.startSeconds', async () => {
  await using folder = await temporaryFolder();
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await writeFile(path.join(folder.path, 'config.json'), JSON.stringify({ limits: { startSeconds: 0.5 } }));
  const { status, stderr } = await parley(
    ['proxy', '--config', 'config.json', '--aap', `http://127.0.0.1:${String(port)}/aap`],
    { cwd: folder.path },
  );
  expect(status).toBe(1);
  expect(stderr).toContain('GET /meta');
});

test('an ambiguous agent is rejected', async () => {
  await using served = await serve(edit, ['one', 'two']);
  await expect(startProxy({ aap: served.url }).status).rejects.toMatchObject({
    code: 'usage',
    message: '--agent: the server has one, two',
  });
  await expect(startProxy({ aap: served.url, agent: 'three' }).status).rejects.toMatchObject({
    code: 'usage',
  });
});

test.for(['aap', 'ftp://example.com', 'https://user:secret@example.com/aap'])(
  'an address that is none is wrong usage: %s',
  async (aap) => {
    const failure = startProxy({ aap }).status;
    await expect(failure).rejects.toMatchObject({ code: 'usage' });
    await expect(failure).rejects.not.toThrow(/secret/);
  },
);
