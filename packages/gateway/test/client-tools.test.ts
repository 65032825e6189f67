import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ToolSpec } from '@parley/aap';
import type { McpServer } from '@parley/acp';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type AgentToolCall,
  type AnswerToolCall,
  createToolEndpoints,
  type ToolEndpoint,
} from '../src/index.ts';

/** What is waited for comes from another process. */
const waiting = { timeout: 120_000 };

const weather: ToolSpec = {
  name: 'get_weather',
  title: 'Weather',
  description: 'Says what the weather is like.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const call = { name: 'get_weather', arguments: { city: 'Oslo' } };

/** How agents connect: over HTTP or by a process, in the older revision of MCP or the newer; in a sandbox by a process to the socket. */
const ways = [
  { way: 'http, 2025-11-25', http: true, mode: 'legacy' },
  { way: 'http, 2026-07-28', http: true, mode: 'auto' },
  { way: 'stdio, 2025-11-25', http: false, mode: 'legacy' },
  { way: 'stdio, 2026-07-28', http: false, mode: 'auto' },
  { way: 'in a sandbox', http: true, isHeld: true, mode: 'auto' },
] as const;

interface Setting {
  readonly endpoint: ToolEndpoint;
  connect(options?: ClientOptions): Promise<Client>;
}

interface Way {
  readonly http: boolean;
  readonly mode: 'legacy' | 'auto';
  readonly isHeld?: boolean;
}

async function openEndpoint({ http, mode, isHeld = false }: Way, answer: AnswerToolCall): Promise<Setting> {
  const endpoints = createToolEndpoints({ progressMs: 5 });
  onTestFinished(() => endpoints.close());
  const endpoint = await endpoints.open({ tools: [weather], call: answer });
  return {
    endpoint,
    connect: async (options) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, ...options });
      const toolSocket = isHeld ? await endpoints.openSocket() : undefined;
      await client.connect(transportTo(endpoint.mcpServer({ http }, toolSocket)));
      onTestFinished(() => client.close());
      return client;
    },
  };
}

function transportTo(server: McpServer): StreamableHTTPClientTransport | StdioClientTransport {
  if (server.type === undefined) {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    return new StdioClientTransport({ command: server.command, args: [...server.args], env });
  }
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
}

/** Answers that a test gives when it likes. */
function heldAnswers(): {
  readonly calls: AgentToolCall[];
  readonly answer: AnswerToolCall;
  settle: (text: string) => void;
} {
  const calls: AgentToolCall[] = [];
  const held = {
    calls,
    settle: (_text: string): void => undefined,
    answer: (made: AgentToolCall) => {
      calls.push(made);
      return new Promise<string>((resolve) => {
        held.settle = resolve;
      });
    },
  };
  return held;
}

test.each(ways)('an agent finds and calls the tools of the application ($way)', async (way) => {
  const calls: AgentToolCall[] = [];
  const { connect } = await openEndpoint(way, (made) => {
    calls.push(made);
    return Promise.resolve([
      { type: 'text', text: 'Rain.' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
      { type: 'image', url: 'https://example.com/a.png' },
    ]);
  });
  const client = await connect();

  const { tools } = await client.listTools();
  const { content } = await client.callTool({ ...call, _meta: { 'example/toolUseId': 'call_1' } });

  expect(tools).toEqual([
    {
      name: 'get_weather',
      title: 'Weather',
      description: 'Says what the weather is like.',
      inputSchema: weather.parameters,
    },
  ]);
  expect(calls).toMatchObject([
    { name: 'get_weather', input: { city: 'Oslo' }, meta: { 'example/toolUseId': 'call_1' } },
  ]);
  expect(content).toEqual([
    { type: 'text', text: 'Rain.' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'resource_link', uri: 'https://example.com/a.png', name: 'image' },
  ]);
});

test.each(ways)('progress is sent for a call that waits, so that the agent waits too ($way)', async (way) => {
  const held = heldAnswers();
  const { connect } = await openEndpoint(way, held.answer);
  const client = await connect();
  const notices: (string | undefined)[] = [];

  const { content } = await client.callTool(call, {
    onprogress: ({ message }) => {
      notices.push(message);
      if (notices.length === 2) held.settle('Sun.');
    },
  });

  expect(content).toEqual([{ type: 'text', text: 'Sun.' }]);
  expect(held.calls).toEqual([{ name: 'get_weather', input: { city: 'Oslo' }, meta: {} }]);
  expect(notices[0]).toBe('waiting for an answer since 0 s');
});

test.each(ways)('an agent is notified of changed tools ($way)', async (way) => {
  const { connect, endpoint } = await openEndpoint(way, () => Promise.resolve(''));
  const notified = vi.fn<(names: readonly string[]) => void>();
  await connect({
    listChanged: {
      tools: { onChanged: (_error, tools) => notified((tools ?? []).map(({ name }) => name)), debounceMs: 0 },
    },
  });

  await vi.waitFor(() => {
    endpoint.setTools([weather, { ...weather, name: 'get_time' }]);
    expect(notified).toHaveBeenCalledWith(['get_weather', 'get_time']);
  }, waiting);
});

test('an agent that timed out and calls again gets the answer it waited for', async () => {
  const held = heldAnswers();
  const { connect } = await openEndpoint({ http: false, mode: 'legacy' }, held.answer);
  const client = await connect();
  const patience = new AbortController();
  const first = client.callTool(call, { signal: patience.signal });
  await vi.waitFor(() => expect(held.calls).toHaveLength(1), waiting);
  patience.abort(new Error('too long'));
  await expect(first).rejects.toThrow('too long');

  const second = client.callTool(call);
  // What comes over a pipe comes in order.
  await client.ping();
  held.settle('Snow.');

  expect(await second).toMatchObject({ content: [{ type: 'text', text: 'Snow.' }] });
  expect(held.calls).toHaveLength(1);
});

test.each(ways)('a failure of an application tool is reported to the model ($way)', async (way) => {
  const { connect } = await openEndpoint(way, () => Promise.reject(new Error('the user went away')));
  const client = await connect();

  expect(await client.callTool(call)).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'the user went away' }],
  });
  await expect(client.callTool({ name: 'other' })).rejects.toThrow('unknown tool "other"');
});

test('over ACP, each request is independent, in any revision of MCP', async () => {
  const held = heldAnswers();
  const { endpoint } = await openEndpoint({ http: true, mode: 'auto' }, held.answer);
  const { answer } = endpoint.overAcp;
  const notices: [method: string, params: unknown][] = [];
  const patience = new AbortController();
  const common = {
    signal: patience.signal,
    notify: (method: string, params: unknown) => {
      notices.push([method, params]);
      if (notices.length === 2) held.settle('Sun.');
    },
  };
  const tools = [{ name: 'get_weather', title: 'Weather' }];

  expect(await answer({ ...common, method: 'tools/list' })).toMatchObject({ result: { tools } });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  expect(await answer({ ...common, method: 'tools/list', params: { _meta } })).toMatchObject({
    result: { tools, resultType: 'complete' },
  });
  expect(await answer({ ...common, method: 'prompts/list' })).toMatchObject({ error: { code: -32_601 } });
  const params = { ...call, _meta: { progressToken: 'p' } };
  expect(await answer({ ...common, method: 'tools/call', params })).toMatchObject({
    result: { content: [{ type: 'text', text: 'Sun.' }] },
  });
  expect(notices[0]).toEqual([
    'notifications/progress',
    { progressToken: 'p', progress: 1, message: 'waiting for an answer since 0 s' },
  ]);
  const abandoned = answer({ ...common, method: 'tools/call', params: call });
  await vi.waitFor(() => expect(held.calls).toHaveLength(2), waiting);
  patience.abort(new Error('too long'));
  await expect(abandoned).rejects.toThrow('too long');

  await endpoint.close();
  expect(endpoint.overAcp.signal.aborted).toBe(true);
});

test('the end of the session aborts waiting calls', async () => {
  let signal: AbortSignal | undefined;
  const { connect, endpoint } = await openEndpoint({ http: true, mode: 'legacy' }, (_call, given) => {
    signal = given;
    return new Promise(() => {});
  });
  const client = await connect();
  const answer = client.callTool(call).catch(() => 'failed');
  await vi.waitFor(() => expect(signal).toBeDefined(), waiting);

  await endpoint.close();

  expect(signal?.aborted).toBe(true);
  await client.close();
  expect(await answer).toBe('failed');
});

test('without the token of an open endpoint the response is 401', async () => {
  const { endpoint } = await openEndpoint({ http: true, mode: 'legacy' }, () => Promise.resolve(''));
  const server = endpoint.mcpServer({ http: true });
  if (server.type !== 'http') throw new Error('not over HTTP');
  const [header] = server.headers;
  const ask = async (authorization: string): Promise<number> => {
    const { status } = await fetch(server.url, { method: 'POST', body: '{}', headers: { authorization } });
    return status;
  };

  expect(await ask('Bearer wrong')).toBe(401);
  expect(await ask('')).toBe(401);
  expect(await ask(header?.value ?? '')).not.toBe(401);
  await endpoint.close();
  expect(await ask(header?.value ?? '')).toBe(401);
});

test('in a sandbox tools are reached only with the token, on a socket that is gone once the endpoints are closed', async () => {
  const endpoints = createToolEndpoints();
  const endpoint = await endpoints.open({ tools: [weather], call: () => Promise.resolve('') });
  const socketPath = await endpoints.openSocket();
  const server = endpoint.mcpServer({ http: true }, '/inside');
  if (server.type !== undefined) throw new Error('not a process');
  const ask = (authorization: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request({ socketPath, headers: { authorization } }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end();
    });

  expect(server.env).toContainEqual({ name: 'PARLEY_TOOLS_AT', value: '/inside' });
  expect(await endpoints.openSocket()).toBe(socketPath);
  expect(await ask('Bearer wrong')).toBe(401);
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
  await endpoints.close();
  await expect(stat(socketPath)).rejects.toThrow('ENOENT');
  await expect(endpoints.openSocket()).rejects.toThrow('closed');
});

test('the process of the tools ends with its input, and when the tools are closed', async () => {
  const { endpoint } = await openEndpoint({ http: false, mode: 'legacy' }, () => Promise.resolve(''));
  const server = endpoint.mcpServer();
  if (server.type !== undefined) throw new Error('not a process');
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  const start = (extra = {}): ChildProcess =>
    spawn(server.command, server.args, { env: { ...env, ...extra }, stdio: ['pipe', 'pipe', 'pipe'] });
  const [ended, outlived, refused] = [start(), start(), start({ PARLEY_TOOLS_TOKEN: 'wrong' })];
  const children = [ended, outlived, refused];
  const exits = Promise.all(children.map((child) => once(child, 'exit')));
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  for (const child of [ended, outlived]) {
    child.stdin?.write(ping);
    if (child.stdout !== null) await once(child.stdout, 'data');
  }

  ended.stdin?.end();
  await endpoint.close();

  await exits;
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0, 0, 1]);
});
