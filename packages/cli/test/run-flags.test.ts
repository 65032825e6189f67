import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parley, scripted, stopOf, temporaryFolder, toLines, type Finished, type Line } from './command.ts';

let folder = '';
let log = '';
let temporary: AsyncDisposable;
let logs: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  const made = await temporaryFolder();
  temporary = made;
  folder = await realpath(made.path);
  // What an agent writes into its folder is a change.
  logs = await temporaryFolder();
  log = path.join(logs.path, 'received.jsonl');
});
afterEach(async () => {
  await temporary[Symbol.asyncDispose]();
  await logs[Symbol.asyncDispose]();
});

/** A message the agent has received. */
interface Received {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Ran extends Finished {
  readonly lines: Line[];
  readonly stop: Line;
  readonly received: Received[];
  /** What the agent was asked with this method first. */
  sent(method: string): Received['params'] | undefined;
}

/** Runs an agent that does what the script says, and gives what it received. */
async function run(words: readonly string[], script: object = {}, input?: string): Promise<Ran> {
  const finished = await parley(['run', '--format', 'json', ...words, '--', ...scripted(script)], {
    cwd: folder,
    env: { SCRIPTED_LOG: log },
    ...(input !== undefined && { input }),
  });
  const lines = toLines(finished.stdout);
  const text = await readFile(log, 'utf8').catch(() => '');
  const received = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Received);
  return {
    ...finished,
    lines,
    stop: stopOf(lines),
    received,
    sent: (method) => received.find((message) => message.method === method)?.params,
  };
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(path.join(folder, name), content);
  return name;
}

const text = (words: string): object => ({ prompt: [{ type: 'text', text: words }] });

test('the prompt comes from the command line, a file or standard input', async () => {
  expect((await run(['from the line'])).sent('session/prompt')).toMatchObject(text('from the line'));
});

test('--file gives the prompt', async () => {
  const { sent } = await run(['--file', await file('task.md', 'from a file\n')], {}, 'not this');
  expect(sent('session/prompt')).toMatchObject(text('from a file'));
});

test.each([[['-']], [[]]])('with %j standard input gives the prompt', async (words) => {
  expect((await run(words, {}, 'from input\n')).sent('session/prompt')).toMatchObject(text('from input'));
});

test('an empty standard input is wrong usage, and no agent is started', async () => {
  const { status, stop, received } = await run([], {}, '');
  expect(status).toBe(2);
  expect(stop).toMatchObject({ error: { code: 'usage' }, exitCode: 2 });
  expect(received).toEqual([]);
});

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

test('--image is attached where the agent takes images', async () => {
  const { sent } = await run(['look', '--image', await file('a.png', png)], {
    initialize: { agentCapabilities: { promptCapabilities: { image: true } } },
  });
  expect(sent('session/prompt')).toMatchObject({
    prompt: [
      { type: 'text', text: 'look' },
      { type: 'image', mimeType: 'image/png', data: png.toString('base64') },
    ],
  });
});

test('--image ends with status 2 and without a prompt where the agent takes none', async () => {
  const { status, sent, stop } = await run(['look', '--image', await file('a.png', png)]);
  expect(status).toBe(2);
  expect(stop).toMatchObject({ error: { code: 'not-offered' } });
  expect(sent('session/prompt')).toBeUndefined();
});

test('--cwd and --add-dir become the directories of the session', async () => {
  await mkdir(path.join(folder, 'a'));
  await mkdir(path.join(folder, 'b'));
  const { sent, lines } = await run(['x', '--cwd', 'a', '--add-dir', 'b', '--add-dir', '.'], {
    initialize: { agentCapabilities: { sessionCapabilities: { additionalDirectories: {} } } },
  });
  expect(sent('session/new')).toMatchObject({
    cwd: path.join(folder, 'a'),
    additionalDirectories: [path.join(folder, 'b'), folder],
  });
  expect(lines[0]).toMatchObject({ type: 'session', cwd: path.join(folder, 'a') });
});

test('--add-dir ends with status 2 where the agent takes one folder only', async () => {
  const { status, sent } = await run(['x', '--add-dir', '.']);
  expect(status).toBe(2);
  expect(sent('session/prompt')).toBeUndefined();
});

test('a missing folder is wrong usage', async () => {
  const { status, stderr } = await run(['x', '--cwd', 'none']);
  expect(status).toBe(2);
  expect(stderr).toContain(`--cwd ${path.join(folder, 'none')}: the folder does not exist`);
});

test('--mcp-config gives the session its MCP servers', async () => {
  const name = await file(
    'mcp.json',
    JSON.stringify({ mcpServers: { files: { command: 'node', args: ['a'], env: { B: 'c' } } } }),
  );
  const { sent } = await run(['x', '--mcp-config', name]);
  // ACP wants the path of the command, and `node` is the one that runs this.
  expect(sent('session/new')).toMatchObject({
    mcpServers: [
      {
        name: 'files',
        command: expect.stringMatching(/[/\\]node(?:\.exe)?$/i) as string,
        args: ['a'],
        env: [{ name: 'B', value: 'c' }],
      },
    ],
  });
});

test('an MCP server with a missing command is a configuration error', async () => {
  const name = await file(
    'mcp.json',
    JSON.stringify({ mcpServers: { a: { command: 'parley-no-such-server' } } }),
  );
  const { status, stop, received } = await run(['x', '--mcp-config', name]);
  expect(status).toBe(2);
  expect(stop).toMatchObject({ error: { code: 'configuration' } });
  expect(received).toEqual([]);
});

test('an MCP server with a URL ends with status 2 if the agent does not support it', async () => {
  const name = await file(
    'mcp.json',
    JSON.stringify({ mcpServers: { web: { url: 'https://example.com/mcp' } } }),
  );
  const { status, sent, stderr } = await run(['x', '--mcp-config', name]);
  expect(status).toBe(2);
  expect(stderr).toContain('does not take MCP servers over http, as "web" is');
  expect(sent('session/new')).toBeUndefined();
});

const offering = {
  session: {
    modes: {
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code' },
      ],
    },
    configOptions: [
      {
        id: 'brain',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: 'small',
        options: [
          { value: 'small', name: 'S' },
          { value: 'big', name: 'B' },
        ],
      },
      { id: 'web', name: 'Web', type: 'boolean', currentValue: false },
    ],
  },
};

test('--mode, --model and --set are applied before the prompt', async () => {
  const { received } = await run(['x', '--mode', 'code', '--model', 'big', '--set', 'web=true'], offering);
  expect(received.map(({ method }) => method).slice(2)).toEqual([
    'session/set_mode',
    'session/set_config_option',
    'session/set_config_option',
    'session/prompt',
  ]);
  expect(received[2]?.params).toMatchObject({ modeId: 'code' });
  expect(received[3]?.params).toMatchObject({ configId: 'brain', value: 'big' });
  expect(received[4]?.params).toMatchObject({ configId: 'web', value: true });
});

test.each([
  [['--mode', 'none']],
  [['--model', 'none']],
  [['--set', 'none=1']],
  [['--set', 'brain=none']],
  [['--set', 'web=perhaps']],
])('%j, which the session does not offer, ends with status 2 and without a prompt', async (words) => {
  const { status, stop, sent } = await run(['x', ...words], offering);
  expect(status).toBe(2);
  expect(stop).toMatchObject({ error: { code: 'not-offered' }, exitCode: 2 });
  expect(sent('session/prompt')).toBeUndefined();
});

test("--model may be any name for Agentao's extension, and a listed one for old agents", async () => {
  const extension = {
    '_agentao.cn/extensions': [{ method: '_agentao.cn/set_model', description: 'sets the model' }],
  };
  const agentao = await run(['x', '--model', 'any'], {
    initialize: { _meta: extension },
  });
  expect(agentao.sent('_agentao.cn/set_model')).toMatchObject({ model: 'any' });
  const old = await run(['x', '--model', 'm1'], {
    session: { models: { availableModels: [{ modelId: 'm1', name: 'M' }] } },
  });
  expect(old.sent('session/set_model')).toMatchObject({ modelId: 'm1' });
});

test('an unavailable model is reported with the available ones, and leaves no session in the list', async () => {
  await using empty = await temporaryFolder();
  const { status, stderr } = await parley(['run', '--model', 'zzz', 'say: hi'], { cwd: empty.path });
  expect(status).toBe(2);
  expect(stderr).toContain('--model "zzz" is not available');
  expect(stderr).toContain('the agent offers "parley/offline"');
  const listed = await parley(['sessions', 'list', '--json'], { cwd: empty.path });
  expect(JSON.parse(listed.stdout)).toMatchObject({ sessions: [] });
});

test('--session continues a session, resumed if the agent can, else loaded', async () => {
  const resumed = await run(['x', '--session', 'scripted-1'], {
    initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } },
  });
  expect(resumed.status).toBe(0);
  expect(resumed.sent('session/resume')).toMatchObject({ sessionId: 'scripted-1', cwd: folder });
  expect(resumed.lines[0]).toMatchObject({ type: 'session', sessionId: 'scripted-1' });
});

test('the session line comes before the history that session/load replays', async () => {
  const replay = [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'before' } }];
  const { status, lines, sent } = await run(['x', '--session', 'scripted-1'], {
    initialize: { agentCapabilities: { loadSession: true } },
    replay,
  });
  expect(status).toBe(0);
  expect(sent('session/load')).toMatchObject({ sessionId: 'scripted-1' });
  expect(lines.map(({ type }) => type)).toEqual(['session', 'update', 'stop']);
});

test('--session ends with status 2 if the agent stores no sessions, or not this one', async () => {
  const without = await run(['x', '--session', 's']);
  expect(without.status).toBe(2);
  expect(without.stop).toMatchObject({ error: { code: 'not-supported' } });
  const unknown = await run(['x', '--session', 's'], {
    initialize: { agentCapabilities: { loadSession: true } },
    errors: { 'session/load': { code: -32002, message: 'no such session', data: { sessionId: 's' } } },
  });
  expect(unknown.status).toBe(2);
  expect(unknown.stop).toMatchObject({ error: { code: 'not-offered' }, exitCode: 2 });
});

test('--continue continues the last session of this folder', async () => {
  const { sent, status } = await run(['x', '--continue'], {
    initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } } },
    sessions: [
      { sessionId: 'old', cwd: folder, updatedAt: '2026-01-01T00:00:00Z' },
      { sessionId: 'scripted-1', cwd: folder, updatedAt: '2026-03-01T00:00:00Z' },
      { sessionId: 'elsewhere', cwd: '/elsewhere', updatedAt: '2026-05-01T00:00:00Z' },
    ],
  });
  expect(status).toBe(0);
  expect(sent('session/list')).toMatchObject({ cwd: folder });
  expect(sent('session/load')).toMatchObject({ sessionId: 'scripted-1' });
});

test('--continue ends with status 2 if no session is listed', async () => {
  const without = await run(['x', '--continue'], {
    initialize: { agentCapabilities: { loadSession: true } },
  });
  expect(without.status).toBe(2);
  const unable = await run(['x', '--continue'], {});
  expect(unable.status).toBe(2);
  expect(unable.stderr).toContain('cannot resume or load a session');
  const empty = await run(['x', '--continue'], {
    initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } } },
  });
  expect(empty.status).toBe(2);
  expect(empty.stderr).toContain('has no session in');
});

test.skipIf(process.platform === 'win32')(
  '--record writes every frame with its time and direction, for the owner only',
  async () => {
    const { received } = await run(['x', '--record', 'r.jsonl'], {
      prompt: [{ write: 'noise\n' }, { say: 'hi' }],
    });
    const recording = path.join(folder, 'r.jsonl');
    const [head, ...frames] = (await readFile(recording, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(head).toMatchObject({ recording: 1, agent: process.execPath, cwd: folder });
    expect(frames.filter(({ direction }) => direction === 'out').map(({ message }) => message)).toEqual(
      received,
    );
    expect(frames.filter(({ direction }) => direction === 'in')).toHaveLength(5);
    expect(frames.some(({ fault }) => fault !== undefined)).toBe(true);
    expect((await stat(recording)).mode & 0o077).toBe(0);
  },
);

test('-a names an agent of the configuration, with its variables', async () => {
  const [command, ...args] = scripted({ prompt: [{ say: 'hello' }], initialize: { agentInfo: undefined } });
  await file(
    'config.json',
    JSON.stringify({ agents: { mine: { command, args, env: { SCRIPTED_LOG: log } } } }),
  );
  const { status, stdout } = await parley(
    ['run', '--format', 'json', '--config', 'config.json', '-a', 'mine', 'go'],
    { cwd: folder },
  );
  expect(status).toBe(0);
  expect(toLines(stdout)[0]).toMatchObject({ type: 'session', sessionId: 'scripted-1', protocolVersion: 1 });
  expect(await readFile(log, 'utf8')).toContain('"go"');
});

test('an agent that reports no name has its configured name, or its command', async () => {
  const { lines } = await run(['x'], { initialize: { agentInfo: null } });
  expect(lines[0]).toMatchObject({ agent: { name: process.execPath, version: '0.0.0' } });
});

test.each([
  ['an unknown agent', ['-a', 'nobody', 'x'], 'no agent "nobody"'],
  [
    'an address that does not speak ACP',
    ['-a', 'ftp://example.com/acp', 'x'],
    'expected a URL with https:// or wss://',
  ],
  [
    'an address with a password',
    ['-a', 'wss://me:secret@example.com/acp', 'x'],
    'into "headers" of the configuration',
  ],
  ['an unknown flag', ['--wat', 'x'], "unknown option '--wat'"],
  ['a wrong value', ['--timeout', 'soon', 'x'], '--timeout soon: expected a number'],
  ['too many words', ['fix', 'it'], 'too many arguments'],
  ['a missing configuration', ['--config', 'none.json', 'x'], 'the file does not exist'],
])('%s ends with status 2, one line on standard error, and a stop line', async (_name, words, message) => {
  const { status, stdout, stderr } = await parley(['run', '--format', 'json', ...words], { cwd: folder });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stopOf(toLines(stdout))).toMatchObject({ exitCode: 2 });
});

test('an unknown default agent is named together with where it comes from', async () => {
  await writeFile(path.join(folder, 'default.json'), '{"defaultAgent": "cluade"}');
  const { status, stderr } = await parley(['run', '--config', 'default.json', 'x'], { cwd: folder });
  expect(status).toBe(2);
  expect(stderr).toContain(
    'no agent "cluade", the "defaultAgent" of the configuration (Did you mean claude?); "parley agents" lists',
  );
});

test('a wrong format is wrong usage', async () => {
  const { status, stdout, stderr } = await parley(['run', '--format', 'xml', 'x'], { cwd: folder });
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe('parley: --format xml: expected text, quiet, json\n');
});

test('a broken configuration ends with status 2 and names the position', async () => {
  await file('config.json', '{"agents": {"a": {"command": 5}}}');
  const { status, stdout, stderr } = await parley(
    ['run', '--format', 'json', '--config', 'config.json', 'x'],
    { cwd: folder },
  );
  expect(status).toBe(2);
  expect(stderr).toContain('config.json: agents.a.command: expected text, found a number');
  expect(stopOf(toLines(stdout))).toMatchObject({ error: { code: 'configuration' }, exitCode: 2 });
});

test("a project's file cannot choose the default agent, and a note says so", async () => {
  await mkdir(path.join(folder, '.parley'));
  await file(
    '.parley/config.json',
    JSON.stringify({ defaultAgent: 'evil', agents: { evil: { command: 'false' } } }),
  );
  const { status, stdout } = await parley(['run', '--format', 'json', 'say: safe'], { cwd: folder });
  expect(status).toBe(0);
  const lines = toLines(stdout);
  expect(lines[0]).toMatchObject({ type: 'diagnostic', level: 'warning', code: 'configuration' });
  expect(lines.some((line) => JSON.stringify(line).includes('safe'))).toBe(true);
});
