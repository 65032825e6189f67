import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandFile, configureAgent, finish, parley, startParley, temporaryFolder } from './command.ts';
import { serveRemote } from './remote-server.ts';

test.each(['http', 'socket'] as const)(
  'an editor that starts the proxy has the remote agent (%s), with its key from the environment',
  async (way) => {
    await using folder = await temporaryFolder();
    await using server = await serveRemote('tok-4711');
    await writeFile(path.join(folder.path, 'a.txt'), 'the content');
    await configureAgent(folder.path, 'far', {
      words: [process.execPath, commandFile, 'proxy', server[way]],
      env: { PARLEY_TOKEN: 'tok-4711' },
    });
    const { status, stdout, stderr } = await parley(['run', '-a', 'far', 'read a.txt\nsay: hello'], {
      cwd: folder.path,
    });
    expect(stderr).toBe('');
    expect(stdout).toContain('hello');
    expect(status).toBe(0);
  },
);

test('the proxy ends with its input, with status 0 and only messages on its output', async () => {
  await using folder = await temporaryFolder();
  await using server = await serveRemote();
  const child = startParley(['proxy', server.http], { cwd: folder.path });
  const finished = finish(child);
  const hello = { jsonrpc: '2.0', id: 'a', method: 'initialize', params: { protocolVersion: 1 } };
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  await once(child.stdout, 'data');
  child.stdin.end();
  const { status, stdout, stderr } = await finished;
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'a', result: { agentInfo: { name: 'parley' } } });
  await expect.poll(() => server.remote.connections).toBe(0);
});

test.each(['http', 'socket'] as const)(
  'requests are answered (%s) whose input ended before the agent was reached',
  async (way) => {
    await using folder = await temporaryFolder();
    await using server = await serveRemote('tok-4711');
    const asked = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'session/list', params: {} },
    ];
    const input = asked.map((message) => `${JSON.stringify(message)}\n`).join('');
    const proxy = (key: string): ReturnType<typeof parley> =>
      parley(['proxy', server[way]], { cwd: folder.path, env: { PARLEY_TOKEN: key }, input });

    const { status, stdout, stderr } = await proxy('tok-4711');
    expect([status, stderr]).toEqual([0, '']);
    const answers = stdout.trimEnd().split('\n');
    expect(answers.map((line): unknown => JSON.parse(line))).toMatchObject([
      { id: 1, result: { agentInfo: { name: 'parley' } } },
      { id: 2, result: { sessions: [] } },
    ]);
    expect(await proxy('wrong')).toMatchObject({ status: 7, stdout: expect.stringContaining('401') });
  },
);

test.each(['http', 'socket'] as const)(
  'a server that wants another key (%s) is said on standard error, and to the client',
  async (way) => {
    await using folder = await temporaryFolder();
    await using server = await serveRemote('tok-4711');
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };
    const child = startParley(['proxy', server[way]], { cwd: folder.path, env: { PARLEY_TOKEN: 'wrong' } });
    const finished = finish(child);
    child.stdin.write(`${JSON.stringify(hello)}\n`);
    const { status, stdout, stderr } = await finished;
    expect(status).toBe(7);
    expect(stderr).toMatch(/401.*PARLEY_TOKEN/);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: { message: expect.stringContaining('401') } });
  },
);

test.each([
  ['an agent that is out of reach', 'ws://127.0.0.1:9/acp', 1, 'ECONNREFUSED'],
  ['an agent that is not remote', 'parley', 2, 'is not remote'],
])(
  '%s ends the proxy with a status and words, and initialize with an error',
  async (_what, agent, expected, words) => {
    await using folder = await temporaryFolder();
    const child = startParley(['proxy', agent], { cwd: folder.path });
    const finished = finish(child);
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };
    child.stdin.write(`${JSON.stringify(hello)}\n`);
    const { status, stdout, stderr } = await finished;
    expect(status).toBe(expected);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('PARLEY_TOKEN');
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: { message: expect.stringContaining(words) } });
  },
);

test.each([
  ['both kinds', ['wss://example.com', '--aap', 'https://example.com'], 'expected either'],
  ['an agent that is not remote', ['parley'], 'is not remote'],
  ['a key for an agent with a name', ['parley', '--token', 'k'], '--token requires an address'],
  ['a key in plain', ['ws://example.com', '--token', 'k'], 'without encryption'],
  ['a key in plain for AAP', ['--aap', 'http://example.com', '--token', 'k'], 'without encryption'],
  ['another scheme', ['ftp://example.com'], 'expected a URL with https:// or wss://'],
])('%s is wrong usage', async (_what, words, message) => {
  await using folder = await temporaryFolder();
  const { status, stderr } = await parley(['proxy', ...words], { cwd: folder.path });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});
