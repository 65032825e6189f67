import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openRemoteAgent, superviseAgent, type HostEvent } from '@parley/host';
import { expect, test } from 'vitest';
import { parley, temporaryFolder, toLines } from './command.ts';
import { serveRemote } from './remote-server.ts';

test.each(['http', 'socket'] as const)(
  'a prompt goes to a remote agent (%s) and its answer comes back',
  async (way) => {
    await using folder = await temporaryFolder();
    await using server = await serveRemote();
    await writeFile(path.join(folder.path, 'a.txt'), 'what is in the file');
    const { status, stdout, stderr } = await parley(
      ['run', '--format', 'json', '-a', server[way], 'read a.txt\nwrite b.txt: new'],
      { cwd: folder.path },
    );
    expect(stderr).toContain('approval was needed, but input is not interactive');
    expect(stdout).toContain('what is in the file');
    expect(toLines(stdout)[0]).toMatchObject({ type: 'session', agent: { name: 'parley' } });
    // No user could let it write.
    expect(status).toBe(3);
  },
);

test('a configured remote agent receives its headers, which appear in no recording and no message', async () => {
  await using folder = await temporaryFolder();
  const token = 'tok-4711-very-secret';
  await using server = await serveRemote(token);
  await mkdir(path.join(folder.path, '.home', 'config'), { recursive: true });
  const configuration = path.join(folder.path, 'config.json');
  // The one for what is typed is not for agents with a name.
  const env = { OTHER_KEY: token, PARLEY_TOKEN: 'wrong-4711' };
  const configure = (authorization: string): Promise<void> =>
    writeFile(
      configuration,
      JSON.stringify({
        agents: {
          near: { url: server.http, headers: { Authorization: authorization } },
          far: { url: server.socket, headers: { Authorization: authorization } },
          other: { url: server.socket, tokenEnv: 'OTHER_KEY' },
        },
      }),
    );
  await configure(`Bearer ${token}`);
  for (const name of ['near', 'far', 'other']) {
    const record = path.join(folder.path, `${name}.jsonl`);
    const { status, stdout } = await parley(
      [
        'run',
        '--config',
        configuration,
        '--format',
        'quiet',
        '--record',
        record,
        '-a',
        name,
        `say: ${token}`,
      ],
      { cwd: folder.path, env },
    );
    expect([status, stdout.trim()]).toEqual([0, token]);
    const listed = await parley(['sessions', 'list', '--agent', name, '--config', configuration], {
      cwd: folder.path,
      env,
    });
    expect([listed.status, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toMatch(/sess_/);
    expect(await readFile(record, 'utf8')).not.toContain(token);
  }
  await configure('Bearer wrong-4711');
  for (const name of ['near', 'far']) {
    const { status, stderr } = await parley(['run', '--config', configuration, '-a', name, 'x'], {
      cwd: folder.path,
    });
    expect(status).toBe(7);
    expect(stderr).toMatch(/401.*PARLEY_TOKEN.*"headers"/);
    expect(stderr).not.toContain('wrong-4711');
  }
});

test.each(['http://127.0.0.1:9/acp?token=s3cret', 'ws://127.0.0.1:9/acp?token=s3cret'])(
  'an agent that cannot be reached is reported, without what may be a secret (%s)',
  async (url) => {
    await using folder = await temporaryFolder();
    const { status, stderr } = await parley(['run', '-a', url, 'x'], { cwd: folder.path });
    expect(status).toBe(1);
    expect(stderr).toContain('127.0.0.1:9/acp');
    expect(stderr).toMatch(/ECONNREFUSED|bad port/);
    expect(stderr).not.toContain('s3cret');
  },
);

test.each(['http', 'socket'] as const)(
  'a connection that is lost (%s) is made again, and the session goes on',
  async (way) => {
    await using folder = await temporaryFolder();
    await using server = await serveRemote();
    const events: HostEvent[] = [];
    await using agent = await superviseAgent({
      open: (options) =>
        openRemoteAgent({
          ...options,
          url: server[way],
          clientInfo: { name: 'test', version: '1' },
          policy: { approve: { level: 'reads', given: true }, rules: [] },
        }),
      onEvent: (event) => void events.push(event),
      restart: { delayMs: 10 },
    });
    const session = await agent.openSession({ cwd: await realpath(folder.path) });
    const say = async (text: string): Promise<unknown> => {
      const { stopReason } = await session.prompt([{ type: 'text', text: `say: ${text}` }]);
      return stopReason;
    };
    expect(await say('before')).toBe('end_turn');
    await server.cut();
    await expect
      .poll(() => events.some(({ type }) => type === 'session-recovered'), { timeout: 120_000 })
      .toBe(true);
    expect(events.find(({ type }) => type === 'session-recovered')).toMatchObject({ by: 'resume' });
    expect(await say('after')).toBe('end_turn');
    const texts = events.flatMap((event) => (event.type === 'update' ? [JSON.stringify(event)] : []));
    expect(texts.join('')).toMatch(/before.*after/s);
  },
);
