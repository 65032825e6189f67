import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createAapClient, type AapClient } from '@parley/aap';
import { expect, test } from 'vitest';
import { finish, parley, startParley, temporaryFolder, type Finished } from './command.ts';

test('it serves our own agent to whoever has the printed token, and ends when it is told to', async () => {
  await using folder = await temporaryFolder();
  const hub = await startHub(folder.path);
  expect(hub.token).toMatch(/^parley_[\w-]{32}$/u);

  const meta = await hub.client.getMeta();
  const { sessionId } = await hub.client.createSession({ agent: { name: 'parley' } });
  const turn = await hub.client.postTurn(sessionId, {
    messages: [{ role: 'user', content: 'say: hello there' }],
  });
  const cookie = await cookieOf(hub);
  const page = await fetch(`${hub.url}/programs`, { headers: { cookie } });
  const metrics = await (await fetch(`${hub.url}/metrics`, { headers: { cookie } })).text();
  const finished = await hub.end();

  expect(meta.agents.map(({ name }) => name)).toContain('parley');
  expect(turn.stopReason).toBe('end_turn');
  expect(JSON.stringify(turn.messages)).toContain('hello there');
  expect(await page.text()).toContain('<code>parley</code>');
  expect(metrics).toContain('parley_turns_total{agent="parley",stop_reason="end_turn"} 1');
  expect(finished.status).toBe(0);
  expect(finished.stderr).not.toContain(hub.token);
  expect(finished.stderr).not.toContain('hello there');
  for (const line of finished.stderr.trim().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ level: 'info', message: expect.any(String) as string });
  }
});

test('a turn that runs when it ends stops with an error that says so, and is there after a restart', async () => {
  await using folder = await temporaryFolder();
  const hub = await startHub(folder.path);
  const { sessionId } = await hub.client.createSession({ agent: { name: 'parley' } });
  const events: unknown[] = [];
  const stream = await hub.client.streamTurn(sessionId, {
    stream: 'delta',
    messages: [{ role: 'user', content: 'say: before\nsleep 600' }],
  });
  const following = (async () => {
    for await (const event of stream) {
      events.push(event);
      if ('delta' in event) hub.kill();
    }
  })();

  await following;
  const finished = await hub.finished;

  expect(events.at(-1)).toMatchObject({ stopReason: 'error', detail: 'shutdown' });
  expect(finished.status).toBe(0);

  const again = await startHub(folder.path);
  expect(JSON.stringify(await again.client.getHistory(sessionId, 'full'))).toContain('before');
  await again.end();
});

test('a named token works until it is revoked, in a server that runs too', async () => {
  await using folder = await temporaryFolder();
  const hub = await startHub(folder.path);
  const run = (words: readonly string[]): Promise<Finished> =>
    parley(['serve', 'tokens', ...words], { cwd: folder.path });
  const status = async (token: string): Promise<number> =>
    (await fetch(`${hub.url}/aap/meta`, { headers: { authorization: `Bearer ${token}` } })).status;

  const token = (await run(['add', 'ci', '--scope', 'observe'])).stdout.trim();
  await expect.poll(() => status(token), { timeout: 15_000 }).toBe(200);
  expect(JSON.parse((await run(['list', '--json'])).stdout)).toMatchObject({
    tokens: [{ name: 'ci', scope: 'observe' }],
  });
  expect((await run(['revoke', 'ci'])).status).toBe(0);
  await expect.poll(() => status(token), { timeout: 15_000 }).toBe(401);

  await hub.end();
});

test.skipIf(process.platform !== 'linux')(
  '--open signs the browser in by a link that works once, and not by the token',
  async () => {
    await using folder = await temporaryFolder();
    const opened = path.join(folder.path, 'opened');
    await writeFile(
      path.join(folder.path, 'xdg-open'),
      '#!/bin/sh\nprintf %s "$1" > "$0.part" && mv "$0.part" opened\n',
      {
        mode: 0o755,
      },
    );
    const hub = await startHub(folder.path, ['--open'], {
      PATH: `${folder.path}${path.delimiter}${process.env['PATH'] ?? ''}`,
    });

    await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), { timeout: 15_000 }).not.toBe('');
    const address = await readFile(opened, 'utf8');
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await fetch(address, { redirect: 'manual' })).status);

    expect(address).toMatch(new RegExp(`^${hub.url}/\\?token=once_`, 'u'));
    expect(statuses).toEqual([303, 401]);
    await hub.end();
  },
);

test('a store has one server at a time', async () => {
  await using folder = await temporaryFolder();
  const hub = await startHub(folder.path);

  const { status, stderr } = await parley(['serve', '--port', '0'], { cwd: folder.path });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^parley: .*uses it; choose another with --store$/mu);
  await hub.end();
});

test('a port that is taken is an error with a way out', async () => {
  await using folder = await temporaryFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const { status, stderr, stdout } = await parley(['serve', '--port', String(port)], { cwd: folder.path });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^parley: .*another program does already; choose another with --port$/mu);
  expect(stdout).toBe('');
  other.close();
});

test.each([
  [['--port', '70000'], '--port 70000'],
  [['--token', 'a b'], '--token'],
  [['--tls-cert', 'cert.pem'], '--tls-key'],
  [['--allow-origin', 'https://app.example.com/page'], '--allow-origin https://app.example.com/page'],
  [['--workspace', 'missing'], '--workspace missing'],
  [['--max-agents', '0'], '--max-agents 0'],
  [['tokens', 'add', 'a b'], 'tokens add'],
  [['tokens', 'revoke', 'nobody'], 'nobody'],
])('parley serve %j is wrong usage', async (words, said) => {
  await using folder = await temporaryFolder();

  const { status, stderr, stdout } = await parley(['serve', ...words], { cwd: folder.path });

  expect(status).toBe(2);
  expect(stderr).toContain(said);
  expect(stdout).toBe('');
});

interface StartedHub {
  readonly url: string;
  readonly token: string;
  readonly client: AapClient;
  readonly finished: Promise<Finished>;
  kill(): void;
  end(): Promise<Finished>;
}

async function startHub(
  folder: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedHub> {
  await mkdir(path.join(folder, 'work'), { recursive: true });
  const child = startParley(['serve', '--port', '0', '--workspace', 'work', ...flags], { cwd: folder, env });
  const finished = finish(child);
  child.stdin.end();
  const greeting = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part: string) => {
      text += part;
      if (text.includes('?token=')) resolve(text);
    });
    void finished.then(({ stderr }) => {
      reject(new Error(`it ended: ${stderr}`));
    });
  });
  const [, url = '', token = ''] = /(http:\/\/\S+)\/\?token=(\S+)/u.exec(greeting) ?? [];
  const kill = (): void => {
    child.kill('SIGTERM');
  };
  return {
    url,
    token,
    client: createAapClient({ baseUrl: `${url}/aap`, apiKey: token }),
    finished,
    kill,
    end: () => {
      kill();
      return finished;
    },
  };
}

async function cookieOf({ url, token }: StartedHub): Promise<string> {
  const answer = await fetch(`${url}/?token=${token}`, { redirect: 'manual' });
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}
