import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { specSecrets } from '@parley/host';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withOptionDefaults } from '../conversation/agent/configured-spec.ts';
import { agentSecrets, type Configuration } from './configuration.ts';
import { userFile } from './places.ts';
import { readConfiguration, type TrustWish } from './read-configuration.ts';

let root = '';
let warnings: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'parley-configuration-'));
  warnings = [];
});
afterEach(async () => {
  await rm(root, { recursive: true });
});

async function write(file: string, content: unknown): Promise<string> {
  const full = path.join(root, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, typeof content === 'string' ? content : JSON.stringify(content));
  return full;
}

async function read(
  cwd = 'project',
  file?: string,
  confirmTrust?: (wish: TrustWish) => Promise<boolean>,
): Promise<Configuration> {
  await mkdir(path.join(root, cwd), { recursive: true });
  return readConfiguration({
    cwd: path.join(root, cwd),
    env: { PARLEY_HOME: path.join(root, 'home') },
    warn: (message) => warnings.push(message),
    ...(file !== undefined && { file }),
    ...(confirmTrust !== undefined && { confirmTrust }),
  });
}

const command = { command: 'node', args: ['agent.mjs'] };

test('without configuration files, the built-in agent is the default', async () => {
  expect(await read()).toEqual({ defaultAgent: 'parley', agents: new Map(), rules: [] });
  expect(warnings).toEqual([]);
});

test('the user names agents, rules and limits', async () => {
  await write('home/config.json', {
    defaultAgent: 'mine',
    agents: {
      mine: { ...command, env: { KEY: 'v' } },
      remote: { url: 'wss://example.com/acp', headers: { A: 'b' }, tokenEnv: 'FAR_TOKEN' },
    },
    permissions: { rules: [{ tool: 'execute', command: 'npm test', decision: 'allow' }] },
    limits: { requestSeconds: 5, startSeconds: 2.5, openSeconds: 90 },
  });
  const configuration = await read();
  expect(configuration.defaultAgent).toBe('mine');
  expect(configuration.agents.get('mine')).toMatchObject({
    kind: 'command',
    command: 'node',
    args: ['agent.mjs'],
  });
  expect(configuration.agents.get('remote')).toMatchObject({
    kind: 'remote',
    url: 'wss://example.com/acp',
    tokenEnv: 'FAR_TOKEN',
  });
  expect(configuration.rules).toEqual([
    { tool: 'execute', command: 'npm test', decision: 'allow', origin: 'user' },
  ]);
  expect(configuration).toMatchObject({
    requestTimeoutMs: 5000,
    startTimeoutMs: 2500,
    openTimeoutMs: 90_000,
  });
});

test('a project narrows: its deny and ask apply, what it would allow or run is ignored and reported', async () => {
  await write('home/config.json', { permissions: { rules: [{ tool: 'edit', decision: 'allow' }] } });
  const file = await write('project/.parley/config.json', {
    defaultAgent: 'evil',
    agents: { evil: { command: 'curl' } },
    permissions: {
      rules: [
        { tool: 'execute', decision: 'allow' },
        { tool: 'delete', decision: 'deny' },
        { tool: 'edit', path: 'src', decision: 'ask' },
      ],
    },
  });
  const configuration = await read();
  expect(configuration.defaultAgent).toBe('parley');
  expect(configuration.agents.size).toBe(0);
  expect(configuration.rules).toEqual([
    { tool: 'delete', decision: 'deny', origin: 'project' },
    { tool: 'edit', path: 'src', decision: 'ask', origin: 'project' },
    { tool: 'edit', decision: 'allow', origin: 'user' },
  ]);
  expect(warnings).toEqual([
    `${file}: defaultAgent, agents, rules that allow ignored, because you have not trusted this file; see parley permissions trust`,
  ]);
});

describe('trust', () => {
  const wanting = {
    defaultAgent: 'theirs',
    agents: {
      theirs: { command: 'curl', args: ['x y'], env: { KEY: 's3cret' } },
      mine: { command: 'evil' },
      far: { url: 'https://example.com', tokenEnv: 'KEY', headers: { 'X-To': 'us' } },
      asks: { command: 'a', options: [{ type: 'text', name: 'o', env: 'PATH', default: './bin' }] },
    },
    permissions: {
      rules: [
        { tool: 'execute', decision: 'allow' },
        { tool: 'delete', decision: 'deny' },
      ],
    },
  };

  test('a user who trusts a file is not asked again until its content changes', async () => {
    await write('home/config.json', { agents: { mine: command } });
    const file = await write('project/.parley/config.json', wanting);
    const asked: TrustWish[] = [];
    const confirmTrust = (wish: TrustWish): Promise<boolean> => {
      asked.push(wish);
      return Promise.resolve(true);
    };

    await read('project', undefined, confirmTrust);
    const configuration = await read('project', undefined, confirmTrust);

    expect(asked).toEqual([
      {
        file,
        rights: [
          'agent "theirs": runs "curl" "x y"',
          'agent "theirs": sets KEY="s3cret"',
          'agent "mine": runs "evil"',
          'agent "far": talks to https://example.com',
          'agent "far": sends the key in KEY',
          'agent "far": sends X-To="us"',
          'agent "asks": runs "a"',
          'agent "asks": sets, unless you fill in another value, PATH="./bin"',
          'default agent: "theirs"',
          'rule: allow execute',
        ],
      },
    ]);
    expect(configuration.defaultAgent).toBe('theirs');
    expect(configuration.agents.get('mine')).toMatchObject(command);
    expect(configuration.agents.get('theirs')).toMatchObject({ command: 'curl' });
    expect(configuration.rules).toEqual([
      { tool: 'execute', decision: 'allow', origin: 'project' },
      { tool: 'delete', decision: 'deny', origin: 'project' },
    ]);
    expect(warnings).toEqual([]);

    await write('project/.parley/config.json', { ...wanting, limits: {} });
    expect((await read()).agents.has('theirs')).toBe(false);
  });

  test('the same content elsewhere is another file', async () => {
    await write('project/.parley/config.json', wanting);
    await write('clone/.parley/config.json', wanting);
    await read('project', undefined, () => Promise.resolve(true));

    expect((await read('project')).agents.has('theirs')).toBe(true);
    expect((await read('clone')).agents.has('theirs')).toBe(false);
  });

  test('declining trust lists what is ignored', async () => {
    await write('project/.parley/config.json', wanting);

    const { agents } = await read('project', undefined, () => Promise.resolve(false));

    expect(agents.size).toBe(0);
    expect(warnings).toEqual([expect.stringContaining('parley permissions trust')]);
  });

  test("a project that only narrows rights, or names the user's agent, needs no trust", async () => {
    await write('home/config.json', { agents: { mine: command } });
    await write('project/.parley/config.json', {
      defaultAgent: 'mine',
      permissions: { rules: [{ tool: 'edit', decision: 'deny' }] },
    });

    const { defaultAgent } = await read('project', undefined, () => Promise.reject(new Error('asked')));

    expect(defaultAgent).toBe('mine');
    expect(warnings).toEqual([]);
  });

  test('nothing is trusted if the list of trusted files cannot be read', async () => {
    await write('home/trust.json', 'oops');
    await write('project/.parley/config.json', wanting);

    expect((await read('project', undefined, () => Promise.resolve(true))).agents.size).toBe(0);
    expect(warnings).toHaveLength(2);
  });
});

test('a project shortens limits and never lengthens them', async () => {
  await write('home/config.json', { limits: { requestSeconds: 10, startSeconds: 10 } });
  await write('project/.parley/config.json', { limits: { requestSeconds: 5, startSeconds: 99 } });
  expect(await read()).toMatchObject({ requestTimeoutMs: 5000, startTimeoutMs: 10_000 });
});

test.each([
  [{ startSeconds: 10 }, {}, 10_000],
  [{ startSeconds: 10, openSeconds: 90 }, {}, 90_000],
  [{ startSeconds: 10, openSeconds: 90 }, { startSeconds: 5 }, 5000],
  [{}, { startSeconds: 5 }, 5000],
])(
  'with the limits %j of the user and %j of the project, opening a session may take %i ms',
  async (user, project, openTimeoutMs) => {
    await write('home/config.json', { limits: user });
    await write('project/.parley/config.json', { limits: project });
    expect(await read()).toMatchObject({ openTimeoutMs });
  },
);

test('the project file is found from a folder below, up to the repository and no further', async () => {
  await write('.parley/config.json', { permissions: { rules: [{ tool: 'fetch', decision: 'deny' }] } });
  await mkdir(path.join(root, 'project', 'deep'), { recursive: true });
  expect((await read('project/deep')).rules).toEqual([]);
  await mkdir(path.join(root, 'project', '.git'));
  expect((await read('project/deep')).rules).toEqual([]);
  await write('project/.parley/config.json', {
    permissions: { rules: [{ tool: 'edit', decision: 'deny' }] },
  });
  expect((await read('project/deep')).rules).toEqual([{ tool: 'edit', decision: 'deny', origin: 'project' }]);
});

test('--config replaces both files', async () => {
  await write('home/config.json', { defaultAgent: 'mine' });
  await write('project/.parley/config.json', {
    permissions: { rules: [{ tool: 'edit', decision: 'deny' }] },
  });
  const file = await write('other.json', { agents: { other: command } });
  const configuration = await read('project', file);
  expect([...configuration.agents.keys()]).toEqual(['other']);
  expect(configuration.rules).toEqual([]);
});

test('a variable can be marked as public', async () => {
  const env = {
    A: 'a',
    B: { value: 'b', public: true },
    C: { value: 'c' },
    D: { value: 'd', public: false, not: 1 },
  };
  await write('home/config.json', { agents: { mine: { ...command, env } } });

  const mine = (await read()).agents.get('mine');

  expect(mine).toMatchObject({
    env: new Map([
      ['A', 'a'],
      ['B', 'b'],
      ['C', 'c'],
      ['D', 'd'],
    ]),
    publicEnv: new Set(['B']),
  });
  expect(mine?.kind === 'command' && agentSecrets(mine)).toEqual(['a', 'c', 'd']);
  expect(warnings).toEqual([expect.stringMatching(/agents\.mine\.env\.D\.not: unknown field/)]);
});

test("hosts of MCP servers come from the user's configuration, not from a project", async () => {
  const mcpHosts = ['mcp.example.com:443', '*.example.com', 'localhost:3001'];
  await write('home/config.json', { serve: { mcpHosts } });
  await write('project/.parley/config.json', { serve: { mcpHosts: ['localhost:1'] } });

  expect((await read()).mcpHosts).toEqual(mcpHosts);
  expect(warnings).toEqual([expect.stringMatching(/serve\.mcpHosts ignored/)]);
});

test('an unknown field causes a warning with its path', async () => {
  const file = await write('home/config.json', { agent: 'x', limits: { startSecond: 1 } });
  await read();
  expect(warnings).toEqual([
    `${file}: agent: unknown field, ignored`,
    `${file}: limits.startSecond: unknown field, ignored`,
  ]);
});

test('an allow rule with an unknown condition is ignored, a deny rule with one applies', async () => {
  const file = await write('home/config.json', {
    permissions: {
      rules: [
        { tool: 'execute', command: 'npm test', decision: 'allow', untill: '2026-01-01' },
        { tool: 'execute', commandPrefix: 'git push', decision: 'deny', folder: 'src' },
      ],
    },
  });

  expect((await read()).rules).toMatchObject([{ commandPrefix: 'git push', decision: 'deny' }]);
  expect(warnings).toEqual([
    expect.stringContaining(`${file}: permissions.rules[0].untill: unknown field; the rule is ignored`),
    `${file}: permissions.rules[1].folder: unknown field, ignored`,
  ]);
});

test.each([
  ['{"agents": {"a": {"command": ""}}}', 'agents.a.command: must not be empty'],
  [
    '{"agents": {"parley": {"command": "x"}}}',
    'agents.parley: "parley" is the name of Parley\'s built-in agent',
  ],
  [
    '{"agents": {"a": {"command": "x", "options": [{"type": "select", "name": "n"}]}}}',
    'agents.a.options[0].type: expected "text" or "secret", found text',
  ],
  [
    '{"agents": {"a": {"command": "x", "env": {"KEY": 5}}}}',
    'agents.a.env.KEY: expected text, found a number',
  ],
  [
    '{"agents": {"a": {"command": "x", "env": {"KEY": {"public": true}}}}}',
    'agents.a.env.KEY: expected a field "value"',
  ],
  [
    '{"agents": {"a": {"command": "x", "env": {"KEY": {"value": 5}}}}}',
    'agents.a.env.KEY.value: expected text, found a number',
  ],
  [
    '{"agents": {"a": {"command": "x", "env": {"KEY": {"value": "x", "public": "yes"}}}}}',
    'agents.a.env.KEY.public: expected true or false, found text',
  ],
  [
    '{"serve": {"mcpHosts": ["https://example.com/mcp"]}}',
    'serve.mcpHosts[0]: must be a host, like "example.com" or "*.example.com"',
  ],
  ['{"permissions": {"rules": [{"tool": "edit"}]}}', 'permissions.rules[0]: expected a field "decision"'],
  [
    '{"permissions": {"rules": [{"tool": "edit", "decision": "yes"}]}}',
    'permissions.rules[0].decision: expected "allow" or "ask" or "deny", found text',
  ],
  [
    '{"permissions": {"rules": [{"tool": "edit", "path": "src/[a", "decision": "deny"}]}}',
    'permissions.rules[0].path: a "[" is not closed',
  ],
  [
    '{"permissions": {"rules": [{"tool": "edit", "host": "example.com", "decision": "deny"}]}}',
    'permissions.rules[0].host: is only for the tool "fetch"',
  ],
  [
    '{"permissions": {"rules": [{"tool": "fetch", "host": "https://a.b/", "decision": "deny"}]}}',
    'permissions.rules[0].host: must be a host, like "example.com" or "*.example.com"',
  ],
  [
    '{"permissions": {"rules": [{"tool": "mcp__*__read", "decision": "deny"}]}}',
    'permissions.rules[0].tool: "*" is allowed only at the end',
  ],
  [
    '{"limits": {"requestSeconds": "60"}}',
    'limits.requestSeconds: expected a number of seconds above 0, found text',
  ],
  ['{"defaultAgent": 5}', 'defaultAgent: expected text, found a number'],
  ['[]', 'expected an object, found a list'],
])('%s says where it is wrong', async (text, message) => {
  const file = await write('home/config.json', text);
  await expect(read()).rejects.toMatchObject({ code: 'configuration', message: `${file}: ${message}` });
});

test('the error for a broken file has line and column, and quotes none of its content', async () => {
  const file = await write('home/config.json', '{\n  "key": "s3cret" oops\n}');
  await expect(read()).rejects.toMatchObject({ message: `${file}:2:19: not valid JSON` });
});

test.each([
  ['{"limits": {"startSeconds": 1 "openSeconds": 2}}', '1:31: not valid JSON, expected ","'],
  ['{"defaultAgent"}', '1:16: not valid JSON, expected ":"'],
  ['{"agents": {', '1:13: not valid JSON, expected "}"'],
])('the error for %s says what is missing there', async (text, message) => {
  const file = await write('home/config.json', text);
  await expect(read()).rejects.toMatchObject({ message: `${file}:${message}` });
});

test('--config fails if the file does not exist', async () => {
  const file = path.join(root, 'none.json');
  await expect(read('project', file)).rejects.toMatchObject({
    code: 'configuration',
    message: `${file}: the file does not exist`,
  });
});

test('options with a variable become variables, unless their default is empty', async () => {
  await write('home/config.json', {
    agents: {
      a: {
        ...command,
        env: { FIXED: '1' },
        options: [
          { type: 'secret', name: 'apiKey', env: 'A_KEY', default: '' },
          { type: 'text', name: 'level', env: 'A_LEVEL', default: 'high' },
          { type: 'text', name: 'note', default: 'no variable' },
        ],
      },
    },
  });
  const entry = (await read()).agents.get('a');
  if (entry?.kind !== 'command') throw new Error('not a command');
  const reach = { by: 'command', command: entry.command } as const;
  const spec = withOptionDefaults({ name: 'a', reach, env: Object.fromEntries(entry.env) }, entry.options);
  expect(spec.env).toEqual({ A_LEVEL: 'high', FIXED: '1' });
  expect(specSecrets(spec)).toEqual(['1']);
});

test('PARLEY_HOME takes precedence over XDG folders, and a relative XDG folder is ignored', () => {
  expect(userFile({ PARLEY_HOME: '/p', XDG_CONFIG_HOME: '/x' })).toBe('/p/config.json');
  expect(userFile({ XDG_CONFIG_HOME: '/x' })).toBe('/x/parley/config.json');
  expect(userFile({ XDG_CONFIG_HOME: 'x' })).toMatch(/\.config\/parley\/config\.json$/);
});

test("model provider routes are read from the user's file, and ignored with a warning in a project, trusted or not", async () => {
  const route = { apiType: 'openai', baseUrl: 'https://gateway.example', headers: { 'X-Key': 'k' } };
  await write('home/config.json', { providers: { mine: { main: route, other: 'disabled' } } });
  const file = await write('project/.parley/config.json', {
    providers: { mine: { main: { ...route, baseUrl: 'https://elsewhere.example' } } },
  });
  const { providers } = await read('project', undefined, () => Promise.resolve(true));
  expect(Object.fromEntries(providers?.get('mine') ?? [])).toEqual({ main: route, other: 'disabled' });
  expect(warnings).toEqual([`${file}: providers ignored; they only apply in your own configuration`]);
});

test.each(['file:///etc/passwd', 'nowhere', 'https://user:password@gateway.example'])(
  'a provider at %s is refused, without its password',
  async (baseUrl) => {
    await write('home/config.json', { providers: { mine: { main: { apiType: 'openai', baseUrl } } } });
    await expect(read()).rejects.toThrow(/providers\.mine\.main\.baseUrl: must/u);
    await expect(read()).rejects.not.toThrow(/user:password/u);
  },
);
