import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPerl } from '../sandbox/find-engine.ts';
import { targetText } from './connection-target.ts';
import { openNetworkProxy, type NetworkProxy } from './network-proxy.ts';
import { relayCommand, type RelayOptions } from './relay-script.ts';

const hasCurl = spawnSync('curl', ['--version']).error === undefined;
const server = createServer((_request, response) => response.end('reached'));
let port: number;
let proxy: NetworkProxy;
const asked: string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  proxy = await openNetworkProxy({
    allow: ({ target }) => {
      asked.push(targetText(target));
      return targetText(target) === `127.0.0.1:${port}`
        ? { isAllowed: true }
        : { isAllowed: false, reason: 'it is not listed' };
    },
  });
});

afterAll(async () => {
  await proxy.close();
  server.close();
});

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Asks a server of its own, which does not close connections, then a listed one, then its own again, by one agent that reuses connections. */
const stubbornServer = `
const http = require('node:http');
const proxy = new URL(process.env.HTTP_PROXY);
const answer = 'HTTP/1.1 103 Early Hints\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nConnection: keep-alive\\r\\nKeep-Alive: timeout=60\\r\\nContent-Length: 3\\r\\n\\r\\nown';
const server = require('node:net').createServer((socket) => socket.on('data', () => socket.write(answer)));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const ask = (authority) => new Promise((resolve, reject) => {
  http.get({ host: proxy.hostname, port: proxy.port, path: 'http://' + authority + '/', agent, headers: { host: authority } })
    .once('error', reject)
    .once('response', async (answer) => resolve([String((await answer.toArray()).join('')), answer.headers.connection]));
});
server.listen(0, '127.0.0.1', async () => {
  const own = '127.0.0.1:' + server.address().port;
  const [listed] = process.argv.slice(1);
  console.log(JSON.stringify([await ask(own), (await ask(listed)).slice(0, 1), await ask(own)]));
  process.exit();
});
`;

/** Starts a server that repeats bodies, and asks for it through the proxy of its variables: twice on one connection, by name, and by a tunnel. */
const ownServer = `
const http = require('node:http');
const proxy = new URL(process.env.HTTP_PROXY);
const server = http.createServer((request, response) => {
  request.pipe(response.setHeader('x-asked', request.method + ' ' + request.url + ' ' + request.headers.host));
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const read = async (stream) => {
  let text = '';
  for await (const part of stream) text += part;
  return text;
};
const ask = (authority, body) => new Promise((resolve, reject) => {
  const path = 'http://' + authority + '/way?x=1';
  http.request({ host: proxy.hostname, port: proxy.port, method: 'POST', path, agent, headers: { host: authority } })
    .once('error', reject)
    .once('response', async (answer) => resolve([answer.statusCode, answer.headers['x-asked'], await read(answer)]))
    .end(body);
});
const tunnel = (authority) => new Promise((resolve, reject) => {
  http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: authority })
    .once('error', reject)
    .once('connect', (answer, socket) => {
      if (answer.statusCode !== 200) return resolve(answer.statusCode);
      const request = http.request({ createConnection: () => socket, path: '/tunnel', headers: { host: authority } });
      request.once('response', async (inner) => resolve(inner.headers['x-asked'] + (await read(inner)))).end();
    })
    .end();
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const [listed] = process.argv.slice(1);
  console.log(JSON.stringify([
    port,
    await ask('127.0.0.1:' + port, 'x'.repeat(100000)),
    await ask('localhost:' + port, 'second'),
    await tunnel('127.0.0.1:' + port),
    (await ask(listed, ''))[2],
    await tunnel('127.0.0.1:1'),
  ]));
  process.exit();
});
`;

const perl = process.platform === 'linux' ? await findPerl({ projects: [] }) : undefined;
const starters: readonly (readonly [string, Pick<RelayOptions, 'perl'>])[] = [
  ['Node', {}],
  ...(perl === undefined ? [] : [['Perl', { perl }] as const]),
];

describe.each(starters)('started by %s', (_name, starter) => {
  /** Runs a command behind a relay. */
  async function relayed(
    words: readonly string[],
    { hosts = [`127.0.0.1:${port}`], input = '', socketPath = proxy.socketPath } = {},
  ): Promise<Ended> {
    const [command = '', ...args] = [...relayCommand({ ...starter, socketPath, hosts }), ...words];
    const env = { ...process.env, NO_PROXY: '*', no_proxy: '*', https_proxy: 'http://other.example' };
    const child = spawn(command, args, { env, detached: true });
    // A command that does not read its input may have ended before it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const exited = new Promise<Pick<Ended, 'exitCode' | 'signal'>>((resolve) => {
      child.once('exit', (exitCode, signal) => {
        resolve({ exitCode, signal });
      });
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr, ...(await exited) };
  }

  test.skipIf(!hasCurl)(
    'curl in the sandbox reaches an allowed host, by plain HTTP and by a tunnel, and no other',
    async () => {
      const url = `http://127.0.0.1:${String(port)}/`;
      const lines = [
        `curl -sS ${url}`,
        `curl -sS -p ${url}`,
        'curl -sS http://127.0.0.1:1/',
        'curl -sS -p http://127.0.0.1:1/ 2>&1',
      ];
      const { stdout } = await relayed(['sh', '-c', lines.join('; echo; ')]);
      const [plain, tunnel, refused, closed] = stdout.split('\n').filter((line) => line !== '');
      expect([plain, tunnel]).toEqual(['reached', 'reached']);
      expect(refused).toContain('blocked the connection to 127.0.0.1:1: it is not listed');
      expect(closed).toContain('403');
    },
  );

  test('the variables of a proxy are set, and those of the machine are gone', async () => {
    const print = ['-p', 'JSON.stringify(process.env)'];
    const { stdout } = await relayed([process.execPath, ...print]);
    const env = JSON.parse(stdout) as Record<string, string | undefined>;
    const url = env['HTTP_PROXY'];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
    for (const name of [
      'HTTPS_PROXY',
      'ALL_PROXY',
      'http_proxy',
      'https_proxy',
      'all_proxy',
      'npm_config_proxy',
    ]) {
      expect(env).toMatchObject({ [name]: url });
    }
    expect(env).toMatchObject({ NODE_USE_ENV_PROXY: '1' });
    // A host of this machine is listed: only the proxy knows which server is meant.
    expect(env).not.toHaveProperty('NO_PROXY');
    expect(env).not.toHaveProperty('no_proxy');

    const elsewhere = await relayed([process.execPath, ...print], { hosts: ['example.com'] });
    const noProxy = 'localhost,127.0.0.1,::1';
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({ NO_PROXY: noProxy, no_proxy: noProxy });
  });

  test('a server in the sandbox is reached on a port that is not listed, and listed ones are asked for at the proxy', async () => {
    asked.length = 0;
    const listed = `127.0.0.1:${String(port)}`;
    const { stdout, stderr } = await relayed([process.execPath, '-e', ownServer, listed]);
    expect(stderr).toBe('');
    const [own, ...answers] = JSON.parse(stdout) as [number, ...unknown[]];
    expect(answers).toEqual([
      [200, `POST /way?x=1 127.0.0.1:${String(own)}`, 'x'.repeat(100_000)],
      [200, `POST /way?x=1 localhost:${String(own)}`, 'second'],
      `GET /tunnel 127.0.0.1:${String(own)}`,
      'reached',
      403,
    ]);
    expect(asked).toEqual([listed, '127.0.0.1:1']);
  });

  test('after the answer of a server in the sandbox, a client does not use the connection again, also if the server leaves it open', async () => {
    const listed = `127.0.0.1:${String(port)}`;
    const { stdout, stderr } = await relayed([process.execPath, '-e', stubbornServer, listed]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([['own', 'close'], ['reached'], ['own', 'close']]);
  });

  test('input, output and exit status are those of the command', async () => {
    const echo = 'process.stdin.pipe(process.stdout); console.error("noise"); process.exitCode = 41';
    const ended = await relayed([process.execPath, '-e', echo], { input: 'in' });
    expect(ended).toEqual({ stdout: 'in', stderr: 'noise\n', exitCode: 41, signal: null });
    const killed = await relayed(['sh', '-c', 'kill -KILL $$']);
    expect(killed).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    const missing = await relayed(['/no/such/program']);
    expect(missing).toMatchObject({ exitCode: 127, stdout: '' });
    expect(missing.stderr).toContain('parley: could not start "/no/such/program": ENOENT');
  });

  test('a signal to the process group reaches the command once, and the relay ends as it does', async () => {
    const wait = `let count = 0; process.on('SIGTERM', () => { count += 1; setTimeout(() => process.exit(count), 100); }); setInterval(() => {}, 1000); console.log('up')`;
    const [command = '', ...args] = relayCommand({ ...starter, socketPath: proxy.socketPath, hosts: [] });
    const child = spawn(command, [...args, process.execPath, '-e', wait], { detached: true });
    const exited = new Promise((resolve) =>
      child.once('exit', (code) => {
        resolve(code);
      }),
    );
    await new Promise((resolve) => child.stdout.once('data', resolve));
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    expect(await exited).toBe(1);
  });

  test.skipIf(!hasCurl)('without the proxy nothing is reached', async () => {
    const { stdout } = await relayed(['sh', '-c', `curl -sS http://127.0.0.1:${String(port)}/ 2>&1`], {
      socketPath: '/no/such/socket',
    });
    expect(stdout).toContain('curl: (');
  });

  test('connections are copied before and after a signal to the process group', async () => {
    const url = `http://127.0.0.1:${String(port)}/`;
    const ask = `require('node:http').get({ host: '127.0.0.1', port: new URL(process.env.HTTP_PROXY).port, path: '${url}' }, (answer) => answer.pipe(process.stdout))`;
    const twice = `const { execFileSync } = require('node:child_process'); const ask = () => console.log(execFileSync(process.execPath, ['-e', process.argv[1]]) + ''); process.once('SIGTERM', ask); ask(); process.kill(0, 'SIGTERM'); setTimeout(() => {}, 50)`;
    const { stdout } = await relayed([process.execPath, '-e', twice, ask]);
    expect(stdout).toBe('reached\nreached\n');
  });
});
