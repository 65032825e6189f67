import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { toTokenRecord } from '../access/token.ts';
import { createGateway, type Gateway, type GatewayOptions } from './create-gateway.ts';
import type { AnsweredRequest } from './exchanges.ts';
import { healthRoutes } from './health-routes.ts';

const open: Gateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close({ graceMs: 0 })));
});

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

test('health and readiness are open to all', async () => {
  const { url } = await serve();

  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test.each(['/healthz', '/readyz'])('%s is there to be read', async (path) => {
  const { url } = await serve();

  const answer = await fetch(`${url}${path}`, { method: 'POST' });

  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});

test.each(['/aap/meta', '/aap', '/', '/nothing', '/acp', '/healthz/x'])(
  'without a token %s is 401, as JSON, and says what it wants',
  async (path) => {
    const { url } = await serve();

    const answer = await fetch(`${url}${path}`);

    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="parley"');
    expect(await answer.json()).toMatchObject({ code: 'unauthorized' });
  },
);

test.each([
  ['wrong', { authorization: 'Bearer nope' }],
  ['another scheme', { authorization: 'Basic dXNlcjp0b2tlbg==' }],
  ['empty', { authorization: 'Bearer ' }],
  ['an unknown cookie', { cookie: 'parley-0=abc' }],
])('a token that is %s is 401', async (_name, headers) => {
  const { url } = await serve();

  expect((await fetch(`${url}/aap/meta`, { headers })).status).toBe(401);
});

test('an unknown token is looked up again before it is rejected', async () => {
  const added = toTokenRecord('new-token', { name: 'new', scope: 'use' });
  let known: readonly (typeof added)[] = [];
  const { url } = await serve({
    tokens: () => known,
    refreshTokens: () => {
      known = [added];
      return Promise.resolve();
    },
  });

  expect((await fetch(`${url}/aap/meta`, bearer('new-token'))).status).toBe(200);
  expect((await fetch(`${url}/aap/meta`, bearer('nope'))).status).toBe(401);
});

test('a user without a token learns where to find one', async () => {
  const { url } = await serve();

  const answer = await fetch(url, { headers: { accept: 'text/html' } });

  expect(answer.status).toBe(401);
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/u);
  expect(await answer.text()).toContain('parley serve');
});

test('a wrong token is rejected even with a valid cookie', async () => {
  const { url } = await serve();
  const cookie = await cookieOf(url, 'admin-token');

  const answer = await fetch(`${url}/aap/meta`, { headers: { cookie, authorization: 'Bearer nope' } });

  expect(answer.status).toBe(401);
});

test.each([
  ['admin-token', 'GET', 200],
  ['admin-token', 'POST', 200],
  ['use-token', 'GET', 200],
  ['use-token', 'DELETE', 200],
  ['observe-token', 'GET', 200],
  ['observe-token', 'HEAD', 200],
  ['observe-token', 'POST', 403],
  ['observe-token', 'DELETE', 403],
])('%s may %s: %i', async (token, method, status) => {
  const { url } = await serve();

  expect((await fetch(`${url}/aap/meta`, { method, ...bearer(token) })).status).toBe(status);
});

test('a token becomes a cookie that only this server gets', async () => {
  const { url } = await serve();

  const answer = await signIn(url, 'admin-token');

  expect(answer.status).toBe(303);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^parley-[\da-f]{12}=[\w-]{32}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/u,
  );
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  expect((await fetch(`${url}/aap/meta`, { headers: { cookie } })).status).toBe(200);
});

test.each([
  ['a proxy that says so', { 'x-forwarded-proto': 'https' }, true],
  ['a chain of proxies', { 'x-forwarded-proto': 'HTTPS, http' }, true],
  ['a proxy that says otherwise', { 'x-forwarded-proto': 'http' }, false],
  ['a name that is an allowed origin with TLS', { host: 'agents.example.com' }, true],
  ['the same with its port', { host: 'Agents.example.com:443' }, true],
  ['another port of that name', { host: 'agents.example.com:7717' }, false],
  ['a name that is allowed without TLS too', { host: 'both.example.com' }, false],
  ['an address', { host: '192.0.2.7' }, false],
])(
  'behind %s, the cookie is sent over TLS only if browsers come that way',
  async (_name, headers, isSecure) => {
    const { port, link } = await serve({
      allowedOrigins: ['https://agents.example.com', 'https://both.example.com', 'http://both.example.com'],
    });
    const opened = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

    const signedIn = await visit(port, `/${new URL(link).search}`, { ...opened, ...headers });

    const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
    expect(signedIn.statusCode).toBe(303);
    expect(cookie.includes('; Secure')).toBe(isSecure);
  },
);

test("the cookie is accepted only from the server's own pages", async () => {
  const { url } = await serve({ allowedOrigins: ['https://app.example.com'] });
  const cookie = await cookieOf(url, 'admin-token');
  const from = (site: string): Promise<Response> =>
    fetch(`${url}/aap/meta`, { headers: { cookie, 'sec-fetch-site': site } });

  const fromOrigin = (origin: string): Promise<Response> =>
    fetch(`${url}/aap/meta`, { headers: { cookie, origin } });

  expect((await fromOrigin('https://app.example.com')).status).toBe(401);
  expect((await fromOrigin(url)).status).toBe(200);
  expect((await from('same-site')).status).toBe(401);
  expect((await from('cross-site')).status).toBe(401);
  expect((await from('same-origin')).status).toBe(200);
});

test.each([
  ['127.0.0.1:1', 200],
  ['localhost', 200],
  ['app.localhost:99', 200],
  ['[::1]:7717', 200],
  ['192.168.1.5', 200],
  ['app.example.com', 200],
  ['evil.example', 403],
  ['evil.example:7717', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost.evil.example', 403],
])('asked as %s it answers %i', async (host, status) => {
  const { port } = await serve({ allowedOrigins: ['https://app.example.com'] });

  expect(await statusFor(port, { host, authorization: 'Bearer use-token' })).toBe(status);
});

test.each([
  ['http://127.0.0.1:{port}', 200],
  ['https://app.example.com', 200],
  ['https://app.example.com:444', 403],
  ['http://app.example.com', 403],
  ['http://127.0.0.1:1', 403],
  ['https://evil.example', 403],
  ['null', 403],
])('called by a page of %s it answers %i', async (template, status) => {
  const { url, port } = await serve({ allowedOrigins: ['https://app.example.com'] });
  const origin = template.replace('{port}', String(port));

  const answer = await fetch(`${url}/aap/meta`, {
    headers: { origin, authorization: 'Bearer use-token' },
  });

  expect(answer.status).toBe(status);
});

test('a CORS preflight needs no token, and succeeds for allowed origins only', async () => {
  const { url } = await serve({ allowedOrigins: ['https://app.example.com'] });
  const ask = (origin: string): Promise<Response> =>
    fetch(`${url}/aap/sessions`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  const allowed = await ask('https://app.example.com');
  const refused = await ask('https://evil.example');

  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  expect(allowed.headers.get('access-control-allow-headers')).toMatch(
    /authorization, content-type, last-event-id, idempotency-key/u,
  );
  expect(refused.status).toBe(403);
  expect(refused.headers.has('access-control-allow-origin')).toBe(false);
});

test('row 12: a page of an allowed origin can read errors, and the headers it needs', async () => {
  const { url } = await serve({ allowedOrigins: ['https://app.example.com'] });

  const answer = await fetch(`${url}/aap/meta`, { headers: { origin: 'https://app.example.com' } });

  expect(answer.status).toBe(401);
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  expect(answer.headers.get('access-control-expose-headers')).toMatch(/aap-turn-id.*x-request-id/u);
  expect(answer.headers.get('vary')).toBe('Origin');
});

test('a client that sends too many requests has to wait, and others do not', async () => {
  const { url } = await serve({ limits: { requestsPerMinute: 2 } });
  const ask = (token: string): Promise<Response> => fetch(`${url}/aap/meta`, bearer(token));
  await ask('use-token');
  await ask('use-token');

  const late = await ask('use-token');

  expect(late.status).toBe(429);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask('admin-token')).status).toBe(200);
});

test('guessing tokens is slowed down, and a valid token is accepted immediately', async () => {
  const { url } = await serve({ limits: { failedTokensPerMinute: 2 } });
  const status = async (token: string): Promise<number> =>
    (await fetch(`${url}/aap/meta`, bearer(token))).status;

  expect([await status('a'), await status('b'), await status('c')]).toEqual([401, 401, 429]);
  expect(await status('use-token')).toBe(200);
});

test('setting the clock back makes no client wait', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { url } = await serve({ limits: { requestsPerMinute: 60 } });
    const status = async (token: string): Promise<number> =>
      (await fetch(`${url}/aap/meta`, bearer(token))).status;
    expect([await status('use-token'), await status('wrong')]).toEqual([200, 401]);

    vi.setSystemTime(Date.now() - 2 * 60 * 60_000);

    expect([await status('use-token'), await status('wrong')]).toEqual([200, 401]);
  } finally {
    vi.useRealTimers();
  }
});

test('each request has an id, and is logged without its query', async () => {
  const { url, answered } = await serve();

  const answer = await fetch(`${url}/aap/meta?token=x`, { method: 'POST', ...bearer('use-token') });

  expect(answered).toMatchObject([
    { method: 'POST', path: '/aap/meta', route: '/aap', status: 200, principal: 'use' },
  ]);
  expect(answer.headers.get('x-request-id')).toBe(answered[0]?.requestId);
  expect(JSON.stringify(answered)).not.toContain('token=');
});

test('paths are matched completely', async () => {
  const { url } = await serve();
  const status = async (path: string): Promise<number> =>
    (await fetch(`${url}${path}`, bearer('use-token'))).status;

  expect(await status('/aap/')).toBe(200);
  expect(await status('/aapx')).toBe(404);
  expect(await status('/aap/../nothing')).toBe(404);
});

test('a port that is in use is reported', async () => {
  const { port } = await serve();

  await expect(serve({ port })).rejects.toMatchObject({ code: 'address-in-use' });
});

async function serve(options: Partial<GatewayOptions> = {}): Promise<{
  url: string;
  port: number;
  link: string;
  answered: AnsweredRequest[];
}> {
  const answered: AnsweredRequest[] = [];
  const admin = toTokenRecord('admin-token', { name: 'admin', scope: 'admin' });
  const gateway = createGateway({
    port: 0,
    tokens: () => [
      admin,
      toTokenRecord('use-token', { name: 'use', scope: 'use' }),
      toTokenRecord('observe-token', { name: 'observe', scope: 'observe' }),
    ],
    routes: [
      ...healthRoutes(() => undefined),
      { path: '/aap', isPrefix: true, answer: () => Response.json({ here: true }) },
      { path: '/', answer: () => new Response('home') },
    ],
    onAnswered: (request) => answered.push(request),
    ...options,
  });
  await gateway.listen();
  open.push(gateway);
  const { url } = gateway;
  return { url, port: Number(new URL(url).port), link: gateway.makeSignInLink(admin), answered };
}

async function cookieOf(url: string, token: string): Promise<string> {
  return (await signIn(url, token)).headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

function signIn(url: string, token: string): Promise<Response> {
  return fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ token }),
  });
}

async function statusFor(port: number, headers: OutgoingHttpHeaders): Promise<number> {
  return (await visit(port, '/aap/meta', headers)).statusCode ?? 0;
}

/** `fetch` sets the host by itself. */
function visit(port: number, path: string, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', path, headers, agent: false }, (answer) => {
      answer.resume();
      resolve(answer);
    })
      .on('error', reject)
      .end();
  });
}
