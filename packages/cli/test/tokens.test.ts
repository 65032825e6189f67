import { createECDH, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createAapClient } from '@parley/aap';
import { createAapServer } from '@parley/aap/server';
import { httpTransport } from '@parley/acp/http';
import { openAapStore } from '@parley/gateway';
import { filesStore, SharedEventLogs } from '@parley/host';
import { connect, webSocketTransport, type Connection } from '@parley/wire';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { finish, parley, startParley, temporaryFolder, type Finished } from './command.ts';

const isWindows = process.platform === 'win32';

test('over /acp, a session belongs to its token only, also after a restart, and not to a later token of the same name', async () => {
  await using folder = await temporaryFolder();
  const cwd = path.join(folder.path, 'work');
  const [ann, bob] = [await addToken(folder.path, 'ann'), await addToken(folder.path, 'bob')];
  const hub = await startHub(folder.path);
  const before = await open(hub.url, ann);
  const { sessionId } = (await before.request('session/new', { cwd, mcpServers: [] })) as {
    readonly sessionId: string;
  };
  await before.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'say: a secret' }] });
  await before.close();
  await hub.end();

  const again = await startHub(folder.path);
  const received: unknown[] = [];
  const others = await open(again.url, bob, received);
  const load = { sessionId, cwd, mcpServers: [] };
  await expect(others.request('session/load', load)).rejects.toMatchObject({
    code: -32_002,
    message: `Unknown session: ${sessionId}`,
  });
  expect(await others.request('session/list', {})).toEqual({ sessions: [] });
  await others.close();
  expect(received).toEqual([]);

  const own = await open(again.url, ann, received);
  expect(await own.request('session/list', {})).toMatchObject({ sessions: [{ sessionId }] });
  await own.request('session/load', load);
  expect(JSON.stringify(received)).toContain('a secret');

  await parley(['serve', 'tokens', 'revoke', 'ann'], { cwd: folder.path });
  const later = await addToken(folder.path, 'ann');
  await own.closed;
  const heir = await open(again.url, later);
  await expect(heir.request('session/load', load)).rejects.toMatchObject({ code: -32_002 });
  await heir.close();
  await again.end();
});

test('a token that is created, listed and revoked is printed as JSON too', async () => {
  await using folder = await temporaryFolder();
  const tokens = async (...words: readonly string[]): Promise<unknown> => {
    const { stdout } = await parley(['serve', 'tokens', ...words, '--json'], { cwd: folder.path });
    return JSON.parse(stdout);
  };
  const added = await tokens('add', 'ci', '--scope', 'observe', '--expires', '30d');
  const { token, ...shown } = added as { readonly token: string };
  expect(token).toMatch(/^parley_/u);
  expect(shown).toMatchObject({ name: 'ci', scope: 'observe', expired: false });
  expect(await tokens('list')).toEqual({ tokens: [shown] });
  expect(await tokens('revoke', 'ci')).toEqual({ name: 'ci', revoked: true });
  expect(await tokens('list')).toEqual({ tokens: [] });
});

test.each(['HTTP', 'WebSocket'])(
  'a client over %s is disconnected when its token is revoked',
  async (name) => {
    await using folder = await temporaryFolder();
    const token = await addToken(folder.path, 'ci');
    const hub = await startHub(folder.path);
    const headers = { authorization: `Bearer ${token}` };
    const url = `${hub.url}/acp`;
    const transport =
      name === 'HTTP'
        ? httpTransport(url, { headers })
        : webSocketTransport(new WebSocket(url.replace('http', 'ws'), { headers }));
    const client = connect(transport, {});
    await client.request('initialize', { protocolVersion: 1 });
    await client.request('session/new', { cwd: path.join(folder.path, 'work'), mcpServers: [] });

    await parley(['serve', 'tokens', 'revoke', 'ci'], { cwd: folder.path });

    expect((await client.closed).code).not.toBe('local');
    await hub.end();
  },
);

test('AAP sessions that belong to a token name are converted once at the start', async () => {
  await using folder = await temporaryFolder();
  const tokens = { ann: await addToken(folder.path, 'ann'), bob: await addToken(folder.path, 'bob') };
  const sessionId = await storeSessionOf(folder.path, 'ann');

  const hub = await startHub(folder.path);

  expect(await clientOf(hub.url, tokens.ann).getSessions()).toMatchObject({ sessions: [{ sessionId }] });
  expect(await clientOf(hub.url, tokens.bob).getSessions()).toMatchObject({ sessions: [] });
  await expect(clientOf(hub.url, tokens.bob).getSession(sessionId)).rejects.toMatchObject({ status: 404 });
  await hub.end();
});

test('tokens list shows the expiry, and an expired token is rejected', async () => {
  await using folder = await temporaryFolder();
  const token = await addToken(folder.path, 'brief', ['--expires', '12h']);
  await addToken(folder.path, 'lasting');
  const hub = await startHub(folder.path);
  const status = async (): Promise<number> =>
    (await fetch(`${hub.url}/aap/meta`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await status()).toBe(200);

  const { tokens } = JSON.parse((await run(folder.path, ['list', '--json'])).stdout) as {
    readonly tokens: readonly { readonly createdAt: string; readonly expiresAt: string | null }[];
  };
  expect(tokens).toMatchObject([
    { name: 'brief', scope: 'use', expired: false },
    { name: 'lasting', expiresAt: null, expired: false },
  ]);
  const [{ createdAt, expiresAt } = { createdAt: '', expiresAt: '' }] = tokens;
  expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(12 * 3_600_000);
  const file = tokensFile(folder.path);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(expiresAt ?? '', '2026-01-01T00:00:00.000Z'));

  await expect.poll(status, { timeout: 120_000 }).toBe(401);
  expect((await run(folder.path, ['list'])).stdout).toMatch(
    /brief +use +\S+ +2026-01-01 00:00 UTC \(expired\)/u,
  );
  expect((await run(folder.path, ['add', 'brief'])).status).toBe(0);
  await hub.end();
});

test.each(['0d', '30', 'soon', '-1d'])('--expires %s is wrong usage', async (typed) => {
  await using folder = await temporaryFolder();

  const { status, stderr } = await run(folder.path, ['add', 'ci', `--expires=${typed}`]);

  expect(status).toBe(2);
  expect(stderr).toContain('--expires');
});

test.skipIf(isWindows)(
  'a tokens.json that other users may write is refused by each command, which says what to do',
  async () => {
    await using folder = await temporaryFolder();
    await addToken(folder.path, 'ci');
    const file = tokensFile(folder.path);
    await chmod(file, 0o666);

    const commands = [
      ['serve', '--port', '0'],
      ['serve', 'tokens', 'list'],
      ['serve', 'tokens', 'revoke', 'ci'],
    ];
    for (const words of commands) {
      const { status, stderr } = await parley(words, { cwd: folder.path });
      expect(status).toBe(1);
      expect(stderr).toMatch(/tokens\.json": other users may read or write it \(mode 666\).*chmod 600/u);
    }
  },
);

test('devices list and revoke change the file of the server, and an unknown device is wrong usage', async () => {
  await using folder = await temporaryFolder();
  const devices = (...words: readonly string[]): Promise<Finished> =>
    parley(['serve', 'devices', ...words], { cwd: folder.path });
  expect((await devices('list')).stdout).toContain('No devices are notified.');
  const file = path.join(folder.path, '.home', 'served', 'push.json');
  const key = createECDH('prime256v1');
  const device = {
    id: 'Zl3kPq0aRt5x',
    name: 'Chrome, Android',
    kinds: ['question', 'finished'],
    browser: 'browser',
    token: 'token',
    createdAt: '2026-11-23T10:00:00.000Z',
    endpoint: 'https://push.example.com/a-secret-path',
    publicKey: key.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ version: 1, entries: [{ kind: 'device', device }] }), {
    mode: 0o600,
  });

  const { stdout } = await devices('list');
  expect(stdout).toMatch(/^Zl3kPq0aRt5x +2026-11-23 +question, finished +Chrome, Android$/mu);
  expect(stdout).not.toContain('a-secret-path');
  expect(await devices('revoke', 'unknown')).toMatchObject({ status: 2 });
  const revoked = await devices('revoke', device.id, '--json');
  expect(JSON.parse(revoked.stdout)).toEqual({ id: device.id, revoked: true });
  expect(JSON.parse((await devices('list', '--json')).stdout)).toEqual({ devices: [] });
});

interface StartedHub {
  readonly url: string;
  end(): Promise<Finished>;
}

async function startHub(folder: string): Promise<StartedHub> {
  await mkdir(path.join(folder, 'work'), { recursive: true });
  const child = startParley(['serve', '--port', '0', '--workspace', 'work'], { cwd: folder });
  const finished = finish(child);
  child.stdin.end();
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part: string) => {
      text += part;
      const [address] = /http:\/\/[\d.]+:\d+(?=\/)/u.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    void finished.then(({ stderr }) => {
      reject(new Error(`it ended: ${stderr}`));
    });
  });
  return {
    url,
    end: () => {
      child.kill('SIGTERM');
      return finished;
    },
  };
}

function run(folder: string, words: readonly string[]): Promise<Finished> {
  return parley(['serve', 'tokens', ...words], { cwd: folder });
}

async function addToken(folder: string, name: string, flags: readonly string[] = []): Promise<string> {
  const { status, stdout, stderr } = await run(folder, ['add', name, ...flags]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim();
}

/** A client of ACP, whose token the server may have to find in its file first. */
async function open(url: string, token: string, received: unknown[] = []): Promise<Connection> {
  const headers = { authorization: `Bearer ${token}` };
  await expect
    .poll(async () => (await fetch(`${url}/aap/meta`, { headers })).status, { timeout: 120_000 })
    .toBe(200);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/acp`, { headers });
  const client = connect(webSocketTransport(socket), {
    onNotification: (_method, params) => void received.push(params),
  });
  await client.request('initialize', { protocolVersion: 1 });
  return client;
}

function clientOf(url: string, token: string): ReturnType<typeof createAapClient> {
  return createAapClient({ baseUrl: `${url}/aap`, apiKey: token });
}

function tokensFile(folder: string): string {
  return path.join(folder, '.home', 'tokens.json');
}

/** Stores a session as earlier versions did: its owner is a name. */
async function storeSessionOf(folder: string, tenant: string): Promise<string> {
  const home = path.join(folder, '.home');
  const eventLogs = new SharedEventLogs({ store: filesStore(path.join(home, 'sessions')), program: 'test' });
  const store = await openAapStore(path.join(home, 'served'), { eventLogs });
  const server = createAapServer(
    [
      {
        info: { name: 'parley', version: '1.0.0', capabilities: {} },
        run: () => Promise.resolve({ stopReason: 'end_turn' }),
      },
    ],
    { store },
  );
  const request = new Request('http://localhost/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent: { name: 'parley' } }),
  });
  const answer = await server.handle(request, { access: { tenant } });
  await store.close();
  return ((await answer.json()) as { readonly sessionId: string }).sessionId;
}
