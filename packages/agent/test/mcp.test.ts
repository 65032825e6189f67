import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { McpServer, SessionUpdate } from '@parley/acp';
import { describe, expect, test } from 'vitest';
import { isRunning } from './is-running.ts';
import { isPosix } from './posix.ts';
import { courses, openStage, ranAndFailed, refused, said, succeeded, toolUpdates } from './stage.ts';
import type { Stage } from './stage.ts';

const require = createRequire(import.meta.url);
const everything = programOf(require.resolve('@modelcontextprotocol/server-everything/package.json'));
const filesystem = programOf(require.resolve('@modelcontextprotocol/server-filesystem/package.json'));

function programOf(manifest: string): string {
  return join(manifest, '..', 'dist', 'index.js');
}

function stdio(name: string, ...args: readonly string[]): McpServer {
  return { name, command: process.execPath, args, env: [] };
}

async function openSession(stage: Stage, mcpServers: readonly McpServer[]): Promise<string> {
  const { sessionId } = await stage.agent.request('session/new', { cwd: stage.directory, mcpServers });
  return sessionId;
}

const notices = { session: { notices: {} } } as const;

function noticesOf(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) => (update.sessionUpdate === 'notice' ? [update.title] : []));
}

function lastUpdate(stage: Stage): unknown {
  return toolUpdates(stage.updates).at(-1);
}

describe('a server over stdio', () => {
  test('its tools are called by the offline model, after a question', async () => {
    await using stage = await openStage();
    const session = await openSession(stage, [stdio('every thing', everything, 'stdio')]);
    await stage.prompt('call mcp__every_thing__echo {"message":"hi"}', session);
    expect(courses(stage.updates)).toEqual([succeeded]);
    expect(lastUpdate(stage)).toMatchObject({
      content: [{ type: 'content', content: { type: 'text', text: 'Echo: hi' } }],
    });
    const [question] = stage.permissions;
    expect(question?.toolCall).toMatchObject({ kind: 'other', rawInput: { message: 'hi' } });
    expect(question?.options[1]?.name).toContain('mcp__every_thing__echo');
  });

  test('pictures, links and resources are content of the call', async () => {
    await using stage = await openStage();
    const session = await openSession(stage, [stdio('e', everything, 'stdio')]);
    await stage.prompt('call mcp__e__get-tiny-image', session);
    expect(lastUpdate(stage)).toMatchObject({
      status: 'completed',
      content: expect.arrayContaining([
        { type: 'content', content: expect.objectContaining({ type: 'image', mimeType: 'image/png' }) },
      ]),
    });
    await stage.prompt('call mcp__e__get-resource-links {"count":2}', session);
    expect(JSON.stringify(lastUpdate(stage))).toContain('"type":"resource_link"');
    await stage.prompt('call mcp__e__get-resource-reference {"resourceType":"Text","resourceId":1}', session);
    expect(JSON.stringify(lastUpdate(stage))).toContain('"type":"resource"');
    await stage.prompt('call mcp__e__get-structured-content {"location":"New York"}', session);
    expect(lastUpdate(stage)).toMatchObject({
      rawOutput: { structuredContent: { temperature: expect.any(Number) } },
    });
  });

  test('an error of the tool makes the call failed', async () => {
    await using stage = await openStage();
    const session = await openSession(stage, [stdio('e', everything, 'stdio')]);
    await stage.prompt('call mcp__e__get-sum {"a":"x"}\ncall mcp__e__nothing', session);
    expect(courses(stage.updates)).toEqual([ranAndFailed, refused]);
  });

  test('a cancel ends the call, and the server stays', async () => {
    await using stage = await openStage({
      onUpdate: async (update, sessionId) => {
        if (update.sessionUpdate === 'tool_call_update' && update.status === 'in_progress') {
          await stage.cancel(sessionId);
        }
      },
    });
    const session = await openSession(stage, [stdio('e', everything, 'stdio')]);
    const long = 'call mcp__e__trigger-long-running-operation {"duration":60,"steps":60}';
    expect(await stage.prompt(long, session)).toBe('cancelled');
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
  });

  test('progress is shown, and keeps a slow call alive', async () => {
    await using stage = await openStage({ limits: { mcpCallIdleMs: 1500, liveOutputMs: 1 } });
    const session = await openSession(stage, [stdio('e', everything, 'stdio')]);
    await stage.prompt('call mcp__e__trigger-long-running-operation {"duration":2,"steps":4}', session);
    expect(courses(stage.updates)).toEqual([succeeded]);
    expect(JSON.stringify(stage.updates)).toContain('1 of 4');
  });

  test('server-filesystem reads and writes, and says which of its tools only read', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.directory, 'a.txt'), 'content');
    const session = await openSession(stage, [stdio('fs', filesystem, stage.directory)]);
    const read = `call mcp__fs__read_text_file ${JSON.stringify({ path: join(stage.directory, 'a.txt') })}`;
    const write = `call mcp__fs__write_file ${JSON.stringify({ path: join(stage.directory, 'b.txt'), content: 'x' })}`;
    for (const modeId of ['read-only', 'plan']) {
      await stage.agent.request('session/set_mode', { sessionId: session, modeId });
      await stage.prompt(`${read}\n${write}`, session);
    }
    expect(courses(stage.updates)).toEqual([succeeded, refused, succeeded, refused]);
    expect(stage.permissions).toHaveLength(2);
    await stage.agent.request('session/set_mode', { sessionId: session, modeId: 'workspace-write' });
    await stage.prompt(write, session);
    expect(stage.permissions).toHaveLength(3);
    await stage.agent.request('session/set_mode', { sessionId: session, modeId: 'full-access' });
    await stage.prompt(write, session);
    expect(stage.permissions).toHaveLength(3);
    expect(courses(stage.updates).slice(4)).toEqual([succeeded, succeeded]);
  });

  test('the environment is the one given, without the keys of model providers', async () => {
    process.env['OPENAI_API_KEY'] = 'secret-of-the-provider';
    try {
      await using stage = await openStage();
      const server = { ...stdio('e', everything, 'stdio'), env: [{ name: 'GIVEN', value: 'yes' }] };
      const session = await openSession(stage, [server]);
      await stage.prompt('call mcp__e__get-env', session);
      expect(JSON.stringify(lastUpdate(stage))).toContain('GIVEN');
      expect(JSON.stringify(stage.updates)).not.toContain('secret-of-the-provider');
      await stage.prompt(`run ${process.execPath} -e "console.log(process.env.OPENAI_API_KEY)"`, session);
      expect(lastUpdate(stage)).toMatchObject({ status: 'completed' });
      expect(JSON.stringify(stage.updates)).not.toContain('secret-of-the-provider');
    } finally {
      delete process.env['OPENAI_API_KEY'];
    }
  });
});

describe('sessions and their servers', () => {
  const script = `
    const { writeFileSync } = require('node:fs');
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    writeFileSync(process.argv[1], process.pid + ' ' + child.pid);
    process.on('SIGTERM', () => {});
    let rest = '';
    process.stdin.on('data', (chunk) => {
      rest += chunk;
      for (let end = rest.indexOf('\\n'); end !== -1; end = rest.indexOf('\\n')) {
        const message = JSON.parse(rest.slice(0, end));
        rest = rest.slice(end + 1);
        answer(message);
      }
    });
    function answer({ id, method, params }) {
      const send = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'initialize') {
        const { protocolVersion } = params;
        send({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
      } else if (method === 'tools/list') {
        send({ tools: [{ name: 'meta', inputSchema: { type: 'object' } }, { name: 'die', inputSchema: { type: 'object' } }] });
      } else if (method === 'tools/call') {
        if (params.name === 'die') process.exit(1);
        send({ content: [{ type: 'text', text: JSON.stringify(params._meta) }] });
      }
    }
  `;
  const own = (stage: Stage): McpServer => stdio('own', '-e', script, '--', join(stage.directory, 'pid'));

  test.runIf(isPosix)('the processes of a server end with its session', async () => {
    await using stage = await openStage();
    const session = await openSession(stage, [own(stage)]);
    await stage.prompt('call mcp__own__meta', session);
    const pids = await pidsOf(stage);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await stage.agent.request('session/close', { sessionId: session });
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test.runIf(isPosix)('they end with the connection', async () => {
    let pids: readonly number[] = [];
    {
      await using stage = await openStage();
      await stage.prompt('call mcp__own__meta', await openSession(stage, [own(stage)]));
      pids = await pidsOf(stage);
    }
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test('the trace context of the prompt reaches the server', async () => {
    await using stage = await openStage();
    const sessionId = await openSession(stage, [own(stage)]);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await stage.agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'call mcp__own__meta' }],
      _meta: { traceparent, tracestate: 'a=b', other: 1 },
    });
    const text = JSON.stringify(lastUpdate(stage));
    expect(text).toContain(traceparent);
    expect(text).toContain('a=b');
    expect(text).not.toContain('other');
  });

  test('a server that dies fails its call, and is reported in the next turn', async () => {
    await using stage = await openStage({ capabilities: notices });
    const session = await openSession(stage, [own(stage)]);
    await stage.prompt('call mcp__own__die', session);
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
    await stage.prompt('call mcp__own__meta', session);
    expect(courses(stage.updates)).toEqual([ranAndFailed, refused]);
    expect(noticesOf(stage.updates)).toContain('Lost the connection to the MCP server "own"');
  });

  test('servers of the same name have tools of different names', async () => {
    await using stage = await openStage();
    const server = stdio('e', everything, 'stdio');
    const session = await openSession(stage, [server, server]);
    await stage.prompt('call mcp__e__echo {"message":"1"}\ncall mcp__e__echo_2 {"message":"2"}', session);
    expect(courses(stage.updates)).toEqual([succeeded, succeeded]);
  });
});

describe('a server that fails', () => {
  test.each<[string, McpServer]>([
    ['does not exist', { name: 'bad', command: '/nowhere/server', args: [], env: [] }],
    ['ends at once', stdio('bad', '-e', 'process.exit(3)')],
    ['cannot be reached', { type: 'http', name: 'bad', url: 'http://127.0.0.1:9/mcp', headers: [] }],
    ['has no address', { type: 'sse', name: 'bad', url: 'nonsense', headers: [] }],
  ])('and %s is a notice, and the session goes on', async (_what, server) => {
    await using stage = await openStage({ capabilities: notices });
    const session = await openSession(stage, [server, stdio('e', everything, 'stdio')]);
    await stage.prompt('call mcp__e__echo {"message":"still here"}', session);
    expect(noticesOf(stage.updates)).toContain('The MCP server "bad" did not start');
    expect(courses(stage.updates)).toEqual([succeeded]);
  });

  test('a server that hangs delays the first turn up to a limit', async () => {
    await using stage = await openStage({ capabilities: notices, limits: { mcpReadyMs: 50 } });
    const session = await openSession(stage, [stdio('slow', '-e', 'setInterval(() => {}, 1000)')]);
    await stage.prompt('say: hi', session);
    expect(said(stage.updates)).toEqual(['hi']);
    expect(noticesOf(stage.updates)).toContain('The MCP server "slow" is not ready');
  });

  test('a server that hangs is ended', async () => {
    await using stage = await openStage({ capabilities: notices, limits: { mcpStartMs: 50 } });
    const session = await openSession(stage, [stdio('slow', '-e', 'setInterval(() => {}, 1000)')]);
    await stage.prompt('say: hi', session);
    expect(noticesOf(stage.updates)).toContain('The MCP server "slow" did not start');
  });

  test('what it was given as headers is in no message', async () => {
    const listener = createServer((request, response) => {
      response.statusCode = 500;
      response.end(`you sent ${String(request.headers['x-token'])}`);
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    try {
      await using stage = await openStage({ capabilities: notices });
      const headers = [{ name: 'X-Token', value: 'very-secret' }];
      const session = await openSession(stage, [
        { type: 'http', name: 'bad', url: urlOf(listener), headers },
      ]);
      await stage.prompt('say: hi', session);
      expect(noticesOf(stage.updates)).toContain('The MCP server "bad" did not start');
      expect(JSON.stringify(stage.updates)).not.toContain('very-secret');
    } finally {
      listener.close();
    }
  });
});

describe('a server over HTTP', () => {
  test.each([
    ['http', 'streamableHttp', 'mcp'],
    ['sse', 'sse', 'sse'],
  ] as const)('is reached by %s', async (type, command, path) => {
    const port = await freePort();
    const child = spawn(process.execPath, [everything, command], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      // It says so when it listens; a stream that is not read any more would end it.
      await new Promise<void>((resolve) => {
        child.stderr.on('data', (chunk) => {
          if (String(chunk).includes('port')) resolve();
        });
      });
      await using stage = await openStage();
      const url = `http://127.0.0.1:${String(port)}/${path}`;
      const session = await openSession(stage, [{ type, name: 'web', url, headers: [] }]);
      await stage.prompt('call mcp__web__echo {"message":"over the wire"}', session);
      expect(courses(stage.updates)).toEqual([succeeded]);
      expect(JSON.stringify(lastUpdate(stage))).toContain('Echo: over the wire');
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  test('both transports are declared', async () => {
    await using stage = await openStage();
    expect(stage.initialized.agentCapabilities?.mcpCapabilities).toEqual({ http: true, sse: true });
  });
});

async function pidsOf(stage: Stage): Promise<readonly number[]> {
  return (await readFile(join(stage.directory, 'pid'), 'utf8')).split(' ').map(Number);
}

async function freePort(): Promise<number> {
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = new URL(urlOf(listener));
  listener.close();
  return Number(port);
}

function urlOf(listener: ReturnType<typeof createServer>): string {
  const address = listener.address();
  return typeof address === 'object' && address !== null
    ? `http://127.0.0.1:${String(address.port)}/mcp`
    : '';
}
