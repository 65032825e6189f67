import { once } from 'node:events';
import { chmod, link, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createAapClient, type AapClient } from '@parley/aap';
import { expect, test } from 'vitest';
import { finish, parley, seen, startParley, temporaryFolder, type Finished } from './command.ts';
import { hubFileIn, readHubFile } from './hub.ts';

test('it serves the built-in agent to clients with the token of its file, and ends on a signal', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(folder.path);
  expect(hub.token).toMatch(/^parley_[\w-]{32}$/u);
  expect(hub.link).toMatch(new RegExp(`^${hub.url}/\\?code=once_[\\w-]{32}$`, 'u'));

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

test('a turn that runs at shutdown ends with the error "shutdown", and is listed after a restart', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(folder.path);
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

  await using again = await startHub(folder.path);
  expect(JSON.stringify(await again.client.getHistory(sessionId, 'full'))).toContain('before');
  await again.end();
});

test.skipIf(process.platform === 'win32').each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a second signal, %s, ends it at once with status %i, and without hub.json',
  async (signal, status) => {
    await using folder = await temporaryFolder();
    await using hub = await startHub(folder.path);
    const { sessionId } = await hub.client.createSession({ agent: { name: 'parley' } });
    const stream = await hub.client.streamTurn(sessionId, {
      stream: 'delta',
      messages: [{ role: 'user', content: 'say: before\nsleep 600' }],
    });
    for await (const event of stream) if ('delta' in event) break;
    const isReady = async (): Promise<boolean> => (await fetch(`${hub.url}/readyz`)).ok;
    hub.kill('SIGINT');
    await expect.poll(isReady, { timeout: 120_000, interval: 10 }).toBe(false);

    hub.kill(signal);
    const finished = await hub.finished;

    expect(finished.status).toBe(status);
    await expect(stat(hubFileIn(folder.path))).rejects.toThrow('ENOENT');
  },
);

test('a named token works until it is revoked, also in a running server', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(folder.path);
  const run = (words: readonly string[]): Promise<Finished> =>
    parley(['serve', 'tokens', ...words], { cwd: folder.path });
  const status = async (token: string): Promise<number> =>
    (await fetch(`${hub.url}/aap/meta`, { headers: { authorization: `Bearer ${token}` } })).status;

  const token = (await run(['add', 'ci', '--scope', 'observe'])).stdout.trim();
  await expect.poll(() => status(token), { timeout: 120_000 }).toBe(200);
  expect(JSON.parse((await run(['list', '--json'])).stdout)).toMatchObject({
    tokens: [{ name: 'ci', scope: 'observe' }],
  });
  expect((await run(['revoke', 'ci'])).status).toBe(0);
  await expect.poll(() => status(token), { timeout: 120_000 }).toBe(401);

  await hub.end();
});

test.skipIf(process.platform !== 'linux')(
  '--open signs the browser in by a link that works once, and not by the token',
  async () => {
    await using folder = await temporaryFolder();
    // In a folder of the project it would not be started.
    await using programs = await temporaryFolder();
    const opened = path.join(programs.path, 'opened');
    await writeFile(
      path.join(programs.path, 'xdg-open'),
      `#!/bin/sh\nprintf %s "$1" > "$0.part" && mv "$0.part" '${opened}'\n`,
      {
        mode: 0o755,
      },
    );
    await using hub = await startHub(folder.path, ['--open'], {
      PATH: `${programs.path}${path.delimiter}${process.env['PATH'] ?? ''}`,
    });

    await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), { timeout: 120_000 }).not.toBe('');
    const address = await readFile(opened, 'utf8');
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await follow(address)).status);

    expect(address).toMatch(new RegExp(`^${hub.url}/\\?code=once_`, 'u'));
    expect(address).not.toBe(hub.link);
    expect(statuses).toEqual([303, 401]);
    await hub.end();
  },
);

test('a store has one server at a time', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(folder.path);

  const { status, stderr } = await parley(['serve', '--port', '0'], { cwd: folder.path });

  expect(status).toBe(1);
  const { url } = await readHubFile(folder.path);
  expect(stderr).toContain(
    `parley: Parley is already running: open ${url}. For a second server, choose another --store`,
  );
  await hub.end();
});

test('the error for a port in use says what to do', async () => {
  await using folder = await temporaryFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const { status, stderr, stdout } = await parley(['serve', '--port', String(port)], { cwd: folder.path });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^parley: .*another program is already doing it; choose another with --port$/mu);
  expect(stdout).toBe('');
  other.close();
});

test.each([
  [['--host', ''], '--host: expected an address'],
  [['--port', '70000'], '--port 70000'],
  [['--token', 'a b'], '--token'],
  [['--token', 'secret-token', '--token-file', 'f'], '--token-file'],
  [['--token-file', '.'], '--token-file'],
  [['--token-file', 'missing/token'], '--token-file'],
  [['--tls-cert', 'cert.pem'], '--tls-key'],
  [['--allow-origin', 'https://app.example.com/page'], '--allow-origin https://app.example.com/page'],
  [['--workspace', 'missing'], '--workspace missing'],
  [['--max-agents', '0'], '--max-agents 0'],
  [['--lease', '1'], '--lease 1: expected seconds, at least 2'],
  [['tokens', 'add', 'a b'], 'tokens add'],
  [['tokens', 'revoke', 'nobody'], 'nobody'],
])('parley serve %j is wrong usage', async (words, said) => {
  await using folder = await temporaryFolder();

  const { status, stderr, stdout } = await parley(['serve', ...words], { cwd: folder.path });

  expect(status).toBe(2);
  expect(stderr).toContain(said);
  expect(stdout).toBe('');
});

test.skipIf(process.platform === 'win32')(
  'a token file is made for its owner alone, and read again',
  async () => {
    await using folder = await temporaryFolder();
    await using hub = await startHub(folder.path);
    const { mode } = await stat(path.join(folder.path, 'token'));
    await hub.end();
    await using again = await startHub(folder.path);

    await expect(again.client.getMeta()).resolves.toBeDefined();
    expect(mode & 0o777).toBe(0o600);
    expect(again.token).toBe(hub.token);
    await again.end();
  },
);

test.skipIf(process.platform === 'win32').each([
  ['others may read', (file: string) => chmod(file, 0o640), /mode 0640.*chmod 600/u],
  [
    'is a link',
    async (file: string) => {
      await link(file, `${file}.real`);
      await rm(file);
      await symlink(`${file}.real`, file);
    },
    /is a link/u,
  ],
  ['holds no token', (file: string) => writeFile(file, 'two words\n'), /expected 8 to 512 characters/u],
])('a token file that %s is refused', async (_name, change, said) => {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'token');
  await writeFile(file, 'secret-token\n', { mode: 0o600 });
  await change(file);

  const { status, stderr } = await parley(['serve', '--port', '0', '--token-file', 'token'], {
    cwd: folder.path,
  });

  expect(status).toBe(2);
  expect(stderr).toMatch(said);
  expect(stderr).toContain('--token-file');
  expect(stderr).not.toContain('secret-token');
});

test.each([
  ['--token', ['--token', 'secret-token'], {}],
  ['PARLEY_TOKEN', [], { PARLEY_TOKEN: 'secret-token' }],
])('a token that is given by %s is used, and the better way is said once', async (name, flags, env) => {
  await using folder = await temporaryFolder();
  const child = startParley(['serve', '--port', '0', ...flags], { cwd: folder.path, env });
  const finished = finish(child);
  child.stdin.end();
  await seen(child.stdout, '?code=');
  child.kill('SIGTERM');
  const { stdout, stderr } = await finished;

  const warnings = stderr.split('\n').filter((line) => line.includes('--token-file'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(name);
  expect(stdout + stderr).not.toContain('secret-token');
});

test.skipIf(process.platform !== 'linux')(
  'no agent of the server, and nothing that it starts, has the token in its environment',
  async () => {
    await using folder = await temporaryFolder();
    const child = startParley(['serve', '--port', '0', '--workspace', '.'], {
      cwd: folder.path,
      env: { PARLEY_TOKEN: 'secret-token' },
    });
    const finished = finish(child);
    child.stdin.end();
    const [printed] = (await once(child.stdout, 'data')) as [string];
    const [url = ''] = /http:\/\/[^/\s]+/u.exec(printed) ?? [];
    const client = createAapClient({ baseUrl: `${url}/aap`, apiKey: 'secret-token' });
    const { sessionId } = await client.createSession({
      agent: { name: 'parley', options: { mode: 'full-access' } },
    });

    const turn = await client.postTurn(sessionId, {
      messages: [
        { role: 'user', content: 'run echo "<$PARLEY_TOKEN>" && tr "\\0" "\\n" < /proc/$PPID/environ' },
      ],
    });
    child.kill('SIGTERM');
    await finished;

    const said = JSON.stringify(turn);
    expect(said).toContain('<>');
    expect(said).toContain('PARLEY_HOME');
    expect(said).not.toContain('PARLEY_TOKEN=');
    expect(said).not.toContain('secret-token');
  },
);

/** A running server; one that a failing test leaves is killed. */
interface StartedHub extends AsyncDisposable {
  readonly url: string;
  /** The link that was printed. */
  readonly link: string;
  readonly token: string;
  readonly client: AapClient;
  readonly finished: Promise<Finished>;
  kill(signal?: NodeJS.Signals): void;
  end(): Promise<Finished>;
}

async function startHub(
  folder: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedHub> {
  await mkdir(path.join(folder, 'work'), { recursive: true });
  const words = ['serve', '--port', '0', '--workspace', 'work', '--token-file', 'token', ...flags];
  const child = startParley(words, { cwd: folder, env });
  const finished = finish(child);
  child.stdin.end();
  const greeting = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part: string) => {
      text += part;
      if (/\?code=.*\n/u.test(text)) resolve(text);
    });
    void finished.then(({ stderr }) => {
      reject(new Error(`it ended: ${stderr}`));
    });
  });
  const [printed = '', url = ''] = /(http:\/\/\S+)\/\?code=\S+/u.exec(greeting) ?? [];
  const token = (await readFile(path.join(folder, 'token'), 'utf8')).trim();
  const kill = (signal: NodeJS.Signals = 'SIGTERM'): void => {
    child.kill(signal);
  };
  return {
    url,
    link: printed,
    token,
    client: createAapClient({ baseUrl: `${url}/aap`, apiKey: token }),
    finished,
    kill,
    end: () => {
      kill();
      return finished;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await finished;
    },
  };
}

/** Presses the button of a sign-in link. */
function follow(address: string): Promise<Response> {
  const { origin, searchParams } = new URL(address);
  return fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ code: searchParams.get('code') ?? '' }),
  });
}

async function cookieOf({ link: address }: StartedHub): Promise<string> {
  return (await follow(address)).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}
