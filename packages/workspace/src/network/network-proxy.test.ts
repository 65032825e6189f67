import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { AllowConnection, ConnectionRequest } from './connect-target.ts';
import { targetText } from './connection-target.ts';
import { openNetworkProxy, type NetworkProxy, type NetworkProxyOptions } from './network-proxy.ts';

const run = promisify(execFile);
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return port;
}

/** A server that answers with what it received, and counts its requests. */
async function openTarget(answer?: RequestListener): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = createHttpServer((request, response) => {
    void text(request).then((body) => {
      seen.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.host ?? ''} ${body}`);
      if (answer === undefined) response.end(`hello ${body}`);
      else answer(request, response);
    });
  });
  return { port: await listen(server), seen };
}

async function open(
  allow: AllowConnection,
  options: Partial<NetworkProxyOptions> = {},
): Promise<NetworkProxy> {
  const proxy = await openNetworkProxy({ allow, ...options });
  closing.push(() => proxy.close());
  return proxy;
}

/** Allows these, as `host:port`, and remembers what was asked. */
function only(...allowed: readonly string[]): AllowConnection & { readonly asked: string[] } {
  const asked: string[] = [];
  const allow = ({ target, resolvedFrom = '' }: ConnectionRequest) => {
    const name = targetText(target);
    asked.push(resolvedFrom === '' ? name : `${name} from ${resolvedFrom}`);
    return allowed.includes(name)
      ? ({ isAllowed: true } as const)
      : ({ isAllowed: false, reason: 'it is not listed' } as const);
  };
  return Object.assign(allow, { asked });
}

/** Sends bytes to a proxy as they are, and returns all that comes back until it closes. */
async function exchange({ socketPath }: NetworkProxy, bytes: string): Promise<string> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  socket.write(bytes);
  let answer = '';
  for await (const data of socket) {
    answer += String(data);
    // With a tunnel, the client's side ends first.
    if (answer.includes('200 Connection')) socket.end();
  }
  socket.destroy();
  return answer;
}

function get(url: string, more = ''): string {
  return `GET ${url} HTTP/1.1\r\nHost: ignored.example\r\n${more}Connection: close\r\n\r\n`;
}

test('plain HTTP reaches an allowed host, with the host of the URL', async () => {
  const { port, seen } = await openTarget();
  const proxy = await open(only(`127.0.0.1:${port}`));
  const answer = await exchange(proxy, get(`http://127.0.0.1:${port}/a?b=c#d`));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
  expect(answer).toContain('hello');
  expect(seen).toEqual([`GET /a?b=c 127.0.0.1:${port} `]);
});

test('a host that is not allowed is answered 403, which names host and port and says what to do', async () => {
  const { port, seen } = await openTarget();
  const proxy = await open(only());
  for (const request of [
    get(`http://127.0.0.1:${port}/`),
    `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ]) {
    const answer = await exchange(proxy, request);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/u);
    expect(answer).toContain(`blocked the connection to 127.0.0.1:${port}: it is not listed`);
    expect(answer).toContain(`add "127.0.0.1:${port}" to "network"`);
  }
  expect(seen).toEqual([]);
  expect(proxy.takeReport()?.hosts).toMatchObject([{ host: '127.0.0.1', port, connections: 0, blocked: 2 }]);
});

test('each request on a connection that stays open is judged by its own host', async () => {
  const [one, other] = [await openTarget(), await openTarget()];
  const proxy = await open(only(`127.0.0.1:${one.port}`));
  const lines = (port: number): string => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
  const answer = await exchange(proxy, lines(one.port) + lines(other.port) + lines(one.port));
  expect(answer.match(/HTTP\/1\.1 \d+/gu)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
  expect(other.seen).toEqual([]);
});

test('CONNECT copies both directions, also after one side has ended', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = '';
    socket.on('data', (data: Buffer) => (received += String(data)));
    socket.on('end', () => socket.end(`received ${received}`));
  });
  const port = await listen(server);
  const proxy = await open(only(`127.0.0.1:${port}`));
  const answer = await exchange(proxy, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nearly`);
  expect(answer).toBe('HTTP/1.1 200 Connection Established\r\n\r\nreceived early');
  expect(proxy.takeReport()).toEqual({
    hosts: [{ host: '127.0.0.1', port, connections: 1, blocked: 0, sentBytes: 5, receivedBytes: 14 }],
    moreHosts: 0,
  });
  expect(proxy.takeReport()).toBeUndefined();
});

test('much data arrives whole through a tunnel and through plain HTTP, as slowly as it is read', async () => {
  const size = 8 * 1024 * 1024;
  const { port } = await openTarget((_request, response) => response.end(Buffer.alloc(size, 'x')));
  const proxy = await open(only(`127.0.0.1:${port}`));
  for (const request of [
    get(`http://127.0.0.1:${port}/`),
    `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n${get('/')}`,
  ]) {
    const socket = connect(proxy.socketPath);
    socket.write(request);
    // The first part is read only when the proxy had to stop.
    await new Promise((resolve) => socket.once('readable', resolve));
    await expect.poll(() => proxy.takeReport() !== undefined).toBe(true);
    let length = 0;
    for await (const chunk of socket) length += (chunk as Buffer).length;
    expect(length).toBeGreaterThan(size);
  }
});

test.each([
  ['an origin', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400],
  ['an https URL', get('https://127.0.0.1/'), 400],
  ['a user in a URL', get('http://user:secret@127.0.0.1/'), 400],
  ['a backslash', get('http://127.0.0.1\\@evil.example/'), 400],
  ['CONNECT without a port', 'CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n', 400],
  ['CONNECT to a URL', 'CONNECT http://127.0.0.1:80/ HTTP/1.1\r\n\r\n', 400],
  [
    'a length and chunks',
    'POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'two lengths',
    'POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde',
    400,
  ],
  ['a bare line feed in a header', 'GET http://127.0.0.1:1/ HTTP/1.1\r\nA: b\nHost: x\r\n\r\n', 400],
  ['a head without an end', `GET http://127.0.0.1:1/${'x'.repeat(70_000)} HTTP/1.1\r\n`, 431],
])('%s is rejected before anything is asked', async (_what, request, status) => {
  const allow = only('127.0.0.1:1', '127.0.0.1:80');
  const proxy = await open(allow);
  expect(await exchange(proxy, request)).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `, 'u'));
  expect(allow.asked).toEqual([]);
});

test('a body that looks like a second request stays a body', async () => {
  const { port, seen } = await openTarget();
  const proxy = await open(only(`127.0.0.1:${port}`));
  const hidden = `GET http://127.0.0.1:${port}/hidden HTTP/1.1\r\nHost: x\r\n\r\n`;
  await exchange(
    proxy,
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
      `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  );
  expect(seen).toEqual([`GET / 127.0.0.1:${port} ${hidden}`]);
});

test('headers between neighbours are not passed on', async () => {
  let received: IncomingMessage['headers'] = {};
  const { port } = await openTarget((request, response) => {
    received = request.headers;
    response.writeHead(200, { Connection: 'x-own', 'X-Own': '1', 'Keep-Alive': 'timeout=9', 'X-End': '2' });
    response.end();
  });
  const proxy = await open(only(`127.0.0.1:${port}`));
  const more = 'Connection: x-hop, close\r\nX-Hop: 1\r\nProxy-Authorization: Basic c2VjcmV0\r\nX-End: 2\r\n';
  const answer = await exchange(proxy, get(`http://127.0.0.1:${port}/`, more));
  expect(received).toMatchObject({ host: `127.0.0.1:${port}`, 'x-end': '2' });
  expect(Object.keys(received)).not.toContain('x-hop');
  expect(Object.keys(received)).not.toContain('proxy-authorization');
  expect(answer).toContain('X-End: 2');
  expect(answer).not.toContain('X-Own');
});

test('a name that leads to an address that is not public needs that address to be allowed too', async () => {
  const { port } = await openTarget();
  const lookUp = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const strict = only(`rebound.example:${port}`);
  const answer = await exchange(await open(strict, { lookUp }), get(`http://rebound.example:${port}/`));
  expect(answer).toMatch(/^HTTP\/1\.1 403/u);
  expect(answer).toContain(
    'rebound.example leads to this address, which is not public, and it is not listed',
  );
  expect(strict.asked).toEqual([`rebound.example:${port}`, `127.0.0.1:${port} from rebound.example`]);

  const both = only(`rebound.example:${port}`, `127.0.0.1:${port}`);
  const reached = await exchange(await open(both, { lookUp }), get(`http://rebound.example:${port}/`));
  expect(reached).toMatch(/^HTTP\/1\.1 200/u);
});

test('a name is resolved once, and only after it is allowed', async () => {
  const { port } = await openTarget();
  const looked: string[] = [];
  const lookUp = (name: string) => {
    looked.push(name);
    // The second answer would lead elsewhere.
    return Promise.resolve([{ address: looked.length === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }]);
  };
  const proxy = await open(only(`name.example:${port}`, `127.0.0.1:${port}`), { lookUp });
  await exchange(proxy, get(`http://secret.in.a.name.example:${port}/`));
  expect(looked).toEqual([]);
  expect(await exchange(proxy, get(`http://NAME.example.:${port}/`))).toMatch(/^HTTP\/1\.1 200/u);
  expect(looked).toEqual(['name.example']);
});

test('localhost is this machine and is never looked up', async () => {
  const { port } = await openTarget();
  const lookUp = () => Promise.reject(new Error('looked up'));
  const proxy = await open(only(`localhost:${port}`, `app.localhost:${port}`), { lookUp });
  expect(await exchange(proxy, get(`http://localhost:${port}/`))).toMatch(/^HTTP\/1\.1 200/u);
  expect(await exchange(proxy, get(`http://app.localhost:${port}/`))).toMatch(/^HTTP\/1\.1 200/u);
});

test('a host that cannot be reached is answered 502 with the reason', async () => {
  const lookUp = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
  const proxy = await open(() => ({ isAllowed: true }), { lookUp });
  const answer = await exchange(proxy, get('http://missing.example/'));
  expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway/u);
  expect(answer).toContain('could not connect to missing.example:80: the name has no address');
  const free = createServer();
  const port = await listen(free);
  await new Promise((resolve) => free.close(resolve));
  const refused = await exchange(proxy, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  expect(refused).toContain('the connection was refused');
});

test('a client that ends its side aborts what it waits for', async () => {
  const aborted: string[] = [];
  let asked = (): void => undefined;
  const proxy = await open(({ target, signal }) => {
    asked();
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted.push(targetText(target));
        resolve({ isAllowed: true });
      });
    });
  });
  for (const head of ['CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n', get('http://127.0.0.1:1/')]) {
    const waits = new Promise<void>((resolve) => (asked = resolve));
    const socket: Socket = connect(proxy.socketPath);
    socket.write(head);
    await waits;
    socket.end();
  }
  await expect.poll(() => aborted).toEqual(['127.0.0.1:1', '127.0.0.1:1']);
});

test('the socket is for this user only, and closing removes it with its connections', async () => {
  const parentFolder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  closing.push(() => rm(parentFolder, { recursive: true }));
  const proxy = await openNetworkProxy({ allow: only(), parentFolder });
  expect((await stat(proxy.folder)).mode & 0o777).toBe(0o700);
  expect((await stat(proxy.socketPath)).mode & 0o777).toBe(0o600);
  const socket = connect(proxy.socketPath);
  await new Promise((resolve) => socket.once('connect', resolve));
  await proxy.close();
  await expect.poll(() => socket.resume().closed).toBe(true);
  expect(await readdir(parentFolder)).toEqual([]);
});

test('a folder that a killed process left behind is removed, and one in use stays', async () => {
  const parentFolder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  closing.push(() => rm(parentFolder, { recursive: true }));
  const script = `require('fs').mkdirSync(process.argv[1]); require('net').createServer().listen(process.argv[1] + '/socket', () => process.kill(process.pid, 'SIGKILL'))`;
  await run(process.execPath, ['-e', script, join(parentFolder, 'parley-net-left')]).catch(() => undefined);
  expect(await readdir(parentFolder)).toEqual(['parley-net-left']);
  await using one = await openNetworkProxy({ allow: only(), parentFolder });
  await using other = await openNetworkProxy({ allow: only(), parentFolder });
  const left = (await readdir(parentFolder)).map((name) => join(parentFolder, name));
  expect(left.toSorted()).toEqual([one.folder, other.folder].toSorted());
});

test('a request is understood in the same way in any split of its bytes', async () => {
  const { port, seen } = await openTarget();
  const proxy = await open(only(`127.0.0.1:${port}`));
  const body = 'GET http://evil.example/ HTTP/1.1\r\n\r\n';
  const whole =
    `POST http://127.0.0.1:${port}/a HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n` +
    `Connection: close\r\n\r\n${body}`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 5 }), async (cuts) => {
      seen.length = 0;
      const socket = connect(proxy.socketPath);
      const places = [0, ...cuts.toSorted((left, right) => left - right), whole.length];
      for (const [index, place] of places.slice(1).entries()) {
        await new Promise((resolve) => socket.write(whole.slice(places[index], place), resolve));
      }
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/u);
      expect(seen).toEqual([`POST /a 127.0.0.1:${port} ${body}`]);
    }),
    { numRuns: 10 },
  );
});

test.each([
  ['nothing', ''],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['a status that is none', 'HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n'],
  [
    'an upgrade without a request for it',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  ],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a control character in a header', 'HTTP/1.1 200 OK\r\nA: \u0001\r\nContent-Length: 0\r\n\r\n'],
])('a server that answers with %s is a 502', async (_what, bytes) => {
  const port = await listen(createServer((socket) => socket.on('error', () => undefined).end(bytes)));
  const proxy = await open(only(`127.0.0.1:${port}`));
  expect(await exchange(proxy, get(`http://127.0.0.1:${port}/`))).toMatch(/^HTTP\/1\.1 502 Bad Gateway/u);
});

test('a server that ends in the middle of its answer ends the connection', async () => {
  const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
  const port = await listen(createServer((socket) => socket.on('error', () => undefined).end(bytes)));
  const proxy = await open(only(`127.0.0.1:${port}`));
  expect(await exchange(proxy, get(`http://127.0.0.1:${port}/`)).catch(() => 'closed')).toMatch(
    /half$|closed/u,
  );
});
