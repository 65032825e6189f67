import { chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { expect, test } from 'vitest';
import { type Finished, parley, temporaryFolder } from './command.ts';

interface Found {
  readonly level: string;
  readonly topic: string;
  readonly message: string;
  readonly advice?: string;
}

async function findings(cwd: string, env: Readonly<Record<string, string>> = {}): Promise<readonly Found[]> {
  const { stdout } = await parley(['doctor', '--json'], { cwd, env });
  return (JSON.parse(stdout) as { readonly findings: readonly Found[] }).findings;
}

async function found(
  topic: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Found[]> {
  return (await findings(cwd, env)).filter((finding) => finding.topic === topic);
}

/** Writes a configuration file: the user's is in `.home`, the project's in `.parley`. */
async function configure(cwd: string, folder: '.home' | '.parley', content: unknown): Promise<void> {
  await mkdir(path.join(cwd, folder), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(path.join(cwd, folder, 'config.json'), text);
}

test('without problems, each check is listed, and the status is 0', async () => {
  await using folder = await temporaryFolder();
  const { stdout, stderr, status } = await parley(['doctor'], { cwd: folder.path });
  for (const topic of [
    'node',
    'ripgrep',
    'state',
    'processes',
    'configuration',
    'project',
    'audit',
    'tokens',
  ]) {
    expect(stdout).toMatch(new RegExp(`^ok +${topic} `, 'm'));
  }
  expect(stdout).toMatch(
    /^note +models +no API key set; the offline demo model answers\n +To do: parley models connect /m,
  );
  expect(stdout).toMatch(/\nNothing is wrong\.\n$/);
  expect([stderr, status]).toEqual(['', 0]);
});

test.skipIf(process.platform === 'win32')(
  'folders of the project on PATH, a .env without trust, and files that others can write are reported',
  async () => {
    await using folder = await temporaryFolder();
    const tools = path.join(folder.path, 'tools');
    const home = path.join(folder.path, '.home');
    expect(await found('PATH', folder.path, { PATH: '/usr/bin' })).toMatchObject([{ level: 'ok' }]);
    expect(await found('.env', folder.path)).toEqual([]);

    const PATH = [tools, 'node_modules/.bin', '/usr/bin'].join(path.delimiter);
    expect(await found('PATH', folder.path, { PATH })).toMatchObject([
      { level: 'note', message: expect.stringContaining(`${tools}, node_modules/.bin`) },
    ]);

    await writeFile(path.join(folder.path, '.env'), 'OPENAI_API_KEY=s3cret');
    expect(await found('.env', folder.path)).toMatchObject([
      { level: 'note', advice: expect.stringContaining('parley permissions trust') },
    ]);
    await parley(['permissions', 'trust', '--yes'], { cwd: folder.path });
    expect(await found('.env', folder.path)).toMatchObject([{ level: 'ok' }]);

    await chmod(home, 0o777);
    expect(await found('permissions', folder.path)).toMatchObject([
      {
        level: 'problem',
        message: expect.stringContaining(`every user of this machine can write to ${home}`),
      },
    ]);
    const { stdout, status } = await parley(['doctor'], { cwd: folder.path });
    expect(stdout).not.toContain('s3cret');
    expect(status).toBe(1);
  },
);

test('the content of each configuration file is shown, and which one names the default agent', async () => {
  await using folder = await temporaryFolder();
  await configure(folder.path, '.home', {
    defaultAgent: 'mine',
    agents: {
      mine: { command: process.execPath, env: { TOKEN: 's3cret' }, sandbox: { autoApprove: true } },
    },
    permissions: { rules: [{ tool: 'read', decision: 'allow' }] },
    limit: {},
  });
  await configure(folder.path, '.parley', { limits: { startSeconds: 5 } });
  const { stdout, status } = await parley(['doctor', '--json'], { cwd: folder.path });
  expect(stdout).not.toContain('s3cret');
  const { name } = await findSandboxEngine({ projects: [] });
  if (name !== 'none') expect(stdout).toContain('need no permission (autoApprove) for mine');
  expect(status).toBe(0);
  expect(await found('configuration', folder.path)).toMatchObject([
    { message: expect.stringMatching(/config\.json: default agent mine; agents mine; 1 rule$/) },
    { level: 'note', message: expect.stringContaining('limit: unknown field') },
  ]);
  expect(await found('project', folder.path)).toMatchObject([
    { level: 'ok', message: expect.stringContaining('limit startSeconds; only narrows') },
  ]);
  expect(await found('default agent', folder.path)).toMatchObject([
    { level: 'ok', message: expect.stringContaining('.home') },
  ]);
  expect(await found('agent mine', folder.path)).toMatchObject([{ level: 'ok' }]);
});

test('an untrusted project is listed as ignored, with its agents', async () => {
  await using folder = await temporaryFolder();
  await configure(folder.path, '.parley', { agents: { theirs: { command: 'evil' } } });
  const [before] = await found('project', folder.path);
  expect(before).toMatchObject({
    level: 'note',
    message: expect.stringContaining('agents theirs; not trusted'),
  });
  expect(before?.advice).toContain('parley permissions trust');
  expect(await found('agent theirs', folder.path)).toEqual([]);
  await parley(['permissions', 'trust', '--yes'], { cwd: folder.path });
  expect(await found('project', folder.path)).toMatchObject([{ level: 'ok' }]);
  expect(await found('agent theirs', folder.path)).toMatchObject([{ level: 'problem' }]);
});

test('remembered answers and trusted files are listed; unreadable ones are a problem', async () => {
  await using folder = await temporaryFolder();
  expect(await found('answers', folder.path)).toMatchObject([{ level: 'ok', message: 'none is remembered' }]);
  await configure(folder.path, '.parley', { agents: { theirs: { command: process.execPath } } });
  await parley(['permissions', 'trust', '--yes'], { cwd: folder.path });
  const file = path.join(await realpath(folder.path), '.parley', 'config.json');
  expect(await found('trust', folder.path)).toEqual([{ level: 'ok', topic: 'trust', message: file }]);
  await rm(file);
  expect(await found('trust', folder.path)).toMatchObject([
    { level: 'ok' },
    { level: 'note', advice: expect.stringMatching(/parley permissions revoke \w{8}/) },
  ]);
  const time = new Date().toISOString();
  const rule = { tool: 'execute', commandPrefix: 'npm', decision: 'allow' };
  const entry = { scope: 'user', rule, answersRule: false, time };
  const entries = [
    { id: 'a', ...entry },
    { id: 'b', ...entry },
    { id: 'c', ...entry, scope: 'session', sessionId: 's' },
  ];
  const answers = path.join(folder.path, '.home', 'permissions.json');
  await writeFile(answers, JSON.stringify({ version: 1, entries }));
  expect(await found('answers', folder.path)).toMatchObject([
    { level: 'ok', message: expect.stringMatching(/^2 everywhere, 1 for a session; /) },
  ]);
  await writeFile(answers, '{');
  expect(await found('answers', folder.path)).toMatchObject([
    { level: 'problem', advice: expect.stringContaining(answers) },
  ]);
});

test.each([
  ['no JSON', '.home', '{"agents": ', 'configuration', 'not valid JSON'],
  ['a wrong value', '.home', { agents: { a: {} } }, 'configuration', 'expected "command" or "url"'],
  ['a wrong file of the project', '.parley', '[]', 'project', 'expected an object'],
  ['an unknown default agent', '.home', { defaultAgent: 'nobody' }, 'default agent', 'no agent'],
  [
    'a default agent that is absent',
    '.home',
    { defaultAgent: 'vibe' },
    'default agent',
    'Mistral Vibe cannot',
  ],
  [
    'a key that is not there',
    '.home',
    { agents: { far: { url: 'wss://example.com', tokenEnv: 'NO_SUCH_KEY' } } },
    'agent far',
    'NO_SUCH_KEY is not set',
  ],
  [
    'a key twice',
    '.home',
    { agents: { far: { url: 'wss://a.b', tokenEnv: 'K', headers: { authorization: 'x' } } } },
    'configuration',
    'one is expected',
  ],
  ['a missing program', '.home', { agents: { a: { command: 'no-such' } } }, 'agent a', 'was not found'],
] as const)(
  '%s is a problem, with what to do about it, and status 1',
  async (_what, place, content, topic, message) => {
    await using folder = await temporaryFolder();
    await configure(folder.path, place, content);
    const problems = (await findings(folder.path)).filter(({ level }) => level === 'problem');
    expect(problems.find((problem) => problem.topic === topic)?.message).toContain(message);
    for (const { advice } of problems) expect(advice).toBeTruthy();
    const { stdout, status }: Finished = await parley(['doctor'], { cwd: folder.path });
    expect(stdout).toMatch(/\n\d problems?\.\n$/);
    expect(status).toBe(1);
  },
);

test('model providers are named, without their keys', async () => {
  await using folder = await temporaryFolder();
  const env = {
    ANTHROPIC_API_KEY: 's3cret-1',
    DEEP_API_KEY: 's3cret-2',
    DEEP_BASE_URL: 'https://x',
    LLM_PROVIDER: 'deep',
  };
  const { stdout } = await parley(['doctor'], { cwd: folder.path, env });
  expect(stdout).toMatch(/^ok +models +deep, anthropic; deep answers/m);
  expect(stdout).not.toContain('s3cret');
});

test('a chosen provider without settings is a problem', async () => {
  await using folder = await temporaryFolder();
  expect(await found('models', folder.path, { LLM_PROVIDER: 'deep' })).toMatchObject([
    { level: 'problem', advice: expect.stringContaining('DEEP_API_KEY') },
  ]);
});

test('a state folder that cannot be written is a problem', async () => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'file');
  await writeFile(file, '');
  const env = { PARLEY_HOME: path.join(file, 'home') };
  expect(await found('state', folder.path, env)).toMatchObject([
    { level: 'problem', advice: expect.stringContaining('PARLEY_HOME') },
  ]);
});

test('a damaged imported agent is reported', async () => {
  await using folder = await temporaryFolder();
  const agents = path.join(folder.path, '.home', 'agents');
  await mkdir(agents, { recursive: true });
  await writeFile(path.join(agents, 'bad.json'), '{}');
  expect(await found('imported agents', folder.path)).toMatchObject([
    { level: 'note', message: expect.stringContaining('bad.json: ') },
  ]);
});

test('a server token in the environment is reported, with what to do instead', async () => {
  await using folder = await temporaryFolder();
  const said = await found('token', folder.path, { PARLEY_TOKEN: 's3cret-token' });

  expect(said).toMatchObject([
    {
      level: 'note',
      message: expect.stringContaining('PARLEY_TOKEN'),
      advice: expect.stringContaining('--token-file'),
    },
  ]);
  expect(JSON.stringify(said)).not.toContain('s3cret');
  expect(await found('token', folder.path)).toEqual([]);
});
