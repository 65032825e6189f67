import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { SessionUpdate } from '@parley/acp';
import { expect, test } from 'vitest';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { courses, openStage, ranAndFailed, refused, succeeded, toolUpdates } from './stage.ts';
import type { Stage, StageOptions } from './stage.ts';

/** A server on this machine, and its address. */
async function listen(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function openPrivateStage(options: StageOptions = {}): Promise<Stage> {
  return openStage({ environment: createNodeEnvironment({ allowPrivateAddresses: true }), ...options });
}

function outcome(updates: readonly SessionUpdate[]): string {
  return JSON.stringify(toolUpdates(updates).at(-1));
}

test('a page is fetched after permission, and returned as text', async () => {
  await using server = await listen((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>T</title><h1>Hällo</h1><script>no</script>');
  });
  await using stage = await openPrivateStage();
  await stage.prompt(`fetch ${server.url}/page`);
  expect(courses(stage.updates)).toEqual([succeeded]);
  expect(stage.permissions.map(({ toolCall }) => [toolCall.kind, toolCall.title])).toEqual([
    ['fetch', `Fetch ${server.url}/page`],
  ]);
  expect(outcome(stage.updates)).toContain('T\\n\\n# Hällo');
  expect(outcome(stage.updates)).not.toContain('no<');
});

test('this machine is rejected unless it is allowed', async () => {
  await using server = await listen((_request, response) => response.end('secret'));
  await using stage = await openStage();
  const port = new URL(server.url).port;
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0']) {
    await stage.prompt(`fetch http://${host}:${port}/`);
  }
  expect(courses(stage.updates)).toEqual(Array.from({ length: 5 }, () => ranAndFailed));
  expect(JSON.stringify(stage.updates)).not.toContain('secret');
  expect(outcome(stage.updates)).toContain('private network');
});

test('pages are fetched through a proxy, which resolves their names; this machine stays private', async () => {
  await using server = await listen((_request, response) => response.end('the page'));
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, client) => {
    asked.push(url);
    if (url === 'blocked.example:443') {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const target = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(target).pipe(client);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${String(port)}`);
  const environment = createNodeEnvironment({ proxy: { url, except: ['127.0.0.1'] } });
  try {
    await using stage = await openStage({ environment });
    await stage.prompt(
      ['pages.example:81/', 'localhost/', 'a.localhost/', '10.0.0.1/', '127.0.0.1/']
        .map((page) => `fetch http://${page}`)
        .concat('fetch https://blocked.example/')
        .join('\n'),
    );
    expect(courses(stage.updates)).toEqual([succeeded, ...Array.from({ length: 5 }, () => ranAndFailed)]);
    expect(JSON.stringify(stage.updates)).toContain('the page');
    expect(JSON.stringify(stage.updates).match(/private network/gu)?.length).toBeGreaterThanOrEqual(4);
    expect(outcome(stage.updates)).toContain('blocked.example:443: the sandbox does not allow it (403)');
    expect(asked).toEqual(['pages.example:81', 'blocked.example:443']);
  } finally {
    proxy.close();
  }
});

test('a name that does not exist fails the call', async () => {
  await using stage = await openStage({ limits: { fetchMs: 5000 } });
  await stage.prompt('fetch http://nothing.invalid/');
  expect(courses(stage.updates)).toEqual([ranAndFailed]);
});

test('a redirect to a host that a rule denies is not followed', async () => {
  let isReached = false;
  await using target = await listen((_request, response) => {
    isReached = true;
    response.end('secret');
  });
  await using server = await listen((_request, response) => {
    response.writeHead(302, { location: target.url }).end();
  });
  const { host } = new URL(target.url);
  await using stage = await openPrivateStage({
    rules: () => Promise.resolve([{ tool: 'fetch', host, decision: 'deny' }]),
  });
  await stage.prompt(`fetch ${server.url}`);
  expect(courses(stage.updates)).toEqual([ranAndFailed]);
  expect(isReached).toBe(false);
  expect(outcome(stage.updates)).toContain(`redirects to ${host}. Not allowed: the rule`);
});

test('a redirect is followed, so many times', async () => {
  await using server = await listen((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) return response.end('arrived');
    return response.writeHead(302, { location: `/${String(left - 1)}` }).end();
  });
  await using stage = await openPrivateStage({ limits: { fetchRedirects: 3 } });
  await stage.prompt(`fetch ${server.url}/3\nfetch ${server.url}/4`);
  expect(courses(stage.updates)).toEqual([succeeded, ranAndFailed]);
  expect(outcome(stage.updates)).toContain('redirects more than 3 times');
});

test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'javascript:1'])(
  'a redirect to %s is refused',
  async (location) => {
    await using server = await listen((_request, response) => response.writeHead(302, { location }).end());
    await using stage = await openPrivateStage();
    await stage.prompt(`fetch ${server.url}`);
    expect(courses(stage.updates)).toEqual([ranAndFailed]);
    expect(outcome(stage.updates)).toContain('neither http nor https');
  },
);

test('a huge page is truncated, and the result says so', async () => {
  await using server = await listen((_request, response) => {
    response.setHeader('content-type', 'text/plain');
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  });
  await using stage = await openPrivateStage({ limits: { fetchBytes: 100_000, fetchChars: 1000 } });
  await stage.prompt(`fetch ${server.url}`);
  expect(courses(stage.updates)).toEqual([succeeded]);
  expect(outcome(stage.updates)).toContain('[Truncated: the page is longer]');
  expect(outcome(stage.updates).length).toBeLessThan(2000);
});

test('a cancel ends a slow response', async () => {
  await using server = await listen((_request, response) => {
    response.write('begun');
    void stage.cancel();
  });
  await using stage = await openPrivateStage();
  expect(await stage.prompt(`fetch ${server.url}`)).toBe('cancelled');
  expect(courses(stage.updates)).toEqual([ranAndFailed]);
});

test('a response that takes too long fails the call', async () => {
  await using server = await listen((_request, response) => void response.write('begun'));
  await using stage = await openPrivateStage({ limits: { fetchMs: 50 } });
  await stage.prompt(`fetch ${server.url}`);
  expect(courses(stage.updates)).toEqual([ranAndFailed]);
  expect(outcome(stage.updates)).toContain('took more than 50 ms');
});

test('an error status and binary content fail the call', async () => {
  await using server = await listen((request, response) => {
    if (request.url === '/missing') response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
    else response.writeHead(200, { 'content-type': 'image/png' }).end('x');
  });
  await using stage = await openPrivateStage();
  await stage.prompt(`fetch ${server.url}/missing`);
  expect(outcome(stage.updates)).toContain('not here');
  expect(outcome(stage.updates)).toContain('Status 404');
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ rawOutput: { error: { code: 'http-status' } } });
  await stage.prompt(`fetch ${server.url}/image`);
  expect(outcome(stage.updates)).toContain('image/png is not text');
  expect(courses(stage.updates)).toEqual([ranAndFailed, ranAndFailed]);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('a page that was packed with %s is read, however large it gets', async (encoding, pack) => {
  await using server = await listen((request, response) => {
    expect(request.headers['accept-encoding']).toContain(encoding);
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding });
    response.end(pack(request.url === '/small' ? 'Hällo' : 'x'.repeat(20_000_000)));
  });
  await using stage = await openPrivateStage({ limits: { fetchBytes: 100_000, fetchChars: 1000 } });
  await stage.prompt(`fetch ${server.url}/small`);
  expect(outcome(stage.updates)).toContain('Hällo');
  await stage.prompt(`fetch ${server.url}/large`);
  expect(outcome(stage.updates)).toContain('[Truncated: the page is longer]');
  expect(courses(stage.updates)).toEqual([succeeded, succeeded]);
});

test('a page with an invalid or unknown encoding fails the call', async () => {
  await using server = await listen((request, response) => {
    response.setHeader('content-encoding', request.url === '/wrong' ? 'gzip' : 'zstd');
    response.end('no such thing');
  });
  await using stage = await openPrivateStage();
  await stage.prompt(`fetch ${server.url}/wrong\nfetch ${server.url}/unknown`);
  expect(courses(stage.updates)).toEqual([ranAndFailed, ranAndFailed]);
  expect(toolUpdates(stage.updates).at(-1)).toMatchObject({ rawOutput: { error: { code: 'binary' } } });
});

test('URLs other than http and https are rejected before the user is asked', async () => {
  await using stage = await openStage();
  await stage.prompt('fetch file:///etc/passwd\nfetch http://user:word@example.com/\nfetch nonsense');
  expect(courses(stage.updates)).toEqual([refused, refused, refused]);
  expect(stage.permissions).toEqual([]);
});

test('read-only and plan reject without a question; workspace-write asks', async () => {
  await using server = await listen((_request, response) => response.end('x'));
  await using stage = await openPrivateStage();
  const sessionId = await stage.openSession();
  for (const modeId of ['read-only', 'plan', 'workspace-write']) {
    await stage.agent.request('session/set_mode', { sessionId, modeId });
    await stage.prompt(`fetch ${server.url}`, sessionId);
  }
  expect(courses(stage.updates)).toEqual([refused, refused, succeeded]);
  expect(stage.permissions).toHaveLength(1);
});
