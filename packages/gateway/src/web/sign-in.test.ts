import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createBrowserSessions } from '../access/browser-sessions.ts';
import { toTokenRecord, type TokenRecord } from '../access/token.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../server/create-gateway.ts';

const open: Gateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close({ graceMs: 0 })));
});

const page = { accept: 'text/html,application/xhtml+xml' };
/** What a browser sends when its user opens an address. */
const opened = {
  ...page,
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
const fromElsewhere = { ...opened, 'sec-fetch-site': 'cross-site' };

test('a link signs in one browser; a second use shows what to do', async () => {
  const { url, linkFor } = await serve();
  const link = linkFor('owner');
  const first = await get(`${link}&view=1`, opened);

  const second = await get(link, opened);
  const program = await get(link);

  expect([first.status, first.headers.get('location')]).toEqual([303, '/?view=1']);
  expect(await whoIs(url, first)).toMatchObject({ name: 'owner', scope: 'admin' });
  expect(second.status).toBe(401);
  expect(second.headers.has('set-cookie')).toBe(false);
  expect(await second.text()).toMatch(/Each link works once[\s\S]*<form method="post" action="\/sign-in">/u);
  expect(program.status).toBe(401);
  expect(await program.json()).toMatchObject({ code: 'code_used', requestId: expect.any(String) as string });
});

test.each([
  ['a program behind a proxy', { 'x-forwarded-for': '192.0.2.1' }],
  ['a preview behind a proxy', { ...page, 'x-forwarded-proto': 'https' }],
  ['a program that calls the machine by a name of its network', { host: 'box.example' }],
  ['a program that loads ahead', { 'x-purpose': 'preview' }],
  ['a browser that loads ahead', { ...opened, 'sec-purpose': 'prefetch;prerender' }],
  ['an old browser that loads ahead', { ...opened, purpose: 'prefetch' }],
  ['an old Firefox that loads ahead', { ...opened, 'x-moz': 'prefetch' }],
  ['a page of another site', fromElsewhere],
  ['an image on another site', { ...fromElsewhere, 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
  ['a script', { ...opened, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
])('%s does not use up a link: it gets a page with a button, which does', async (_name, headers) => {
  const { url, linkFor } = await serve({ hosts: ['box.example'] });
  const link = linkFor('owner');

  const asked = await get(`${link}&view=1`, headers);
  const shown = await asked.text();
  const pressed = await post(url, fieldsIn(shown));

  expect(asked.status).toBe(200);
  expect(asked.headers.has('set-cookie')).toBe(false);
  expect(asked.headers.get('cache-control')).toBe('no-store');
  expect(asked.headers.get('referrer-policy')).toBe('same-origin');
  expect(asked.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/u);
  expect(shown).not.toMatch(/<script|style=/u);
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/?view=1']);
  expect(await whoIs(url, pressed)).toMatchObject({ name: 'owner', scope: 'admin' });
  expect((await get(link, opened)).status).toBe(401);
});

test('a program on this machine, such as curl, signs in by a link, once', async () => {
  const { url, linkFor } = await serve();
  const link = linkFor('owner');

  const first = await get(link);
  const second = await get(link);

  expect(first.status).toBe(303);
  expect(await whoIs(url, first)).toMatchObject({ name: 'owner', scope: 'admin' });
  expect([second.status, second.headers.has('set-cookie')]).toEqual([401, false]);
});

test('HEAD does not use up a link', async () => {
  const { linkFor } = await serve();
  const link = linkFor('owner');

  await fetch(link, { method: 'HEAD', headers: opened });

  expect((await get(link, opened)).status).toBe(303);
});

test.each([
  ['another page', { origin: 'https://evil.example' }],
  ['no page', {}],
])('the button of %s does not use up a link', async (_name, headers) => {
  const { url, linkFor } = await serve();
  const link = linkFor('owner');
  const code = new URL(link).searchParams.get('code') ?? '';

  const pressed = await post(url, { code }, headers);

  expect([pressed.status, pressed.headers.has('set-cookie')]).toEqual([403, false]);
  expect((await get(link, opened)).status).toBe(303);
});

test('a button that is pressed twice signs in once', async () => {
  const { url, linkFor } = await serve();
  const code = new URL(linkFor('owner')).searchParams.get('code') ?? '';
  await post(url, { code });

  const again = await post(url, { code });

  expect([again.status, again.headers.has('set-cookie')]).toEqual([401, false]);
  expect(await again.text()).toContain('Each link works once');
});

test('a signed-in browser may follow a used link, and a wrong one too', async () => {
  const { linkFor } = await serve();
  const link = linkFor('owner');
  const cookie = cookieIn(await get(link, opened));

  const used = await get(`${link}&view=1`, { ...opened, cookie });
  const wrong = await get(link.replace(/code=.*/u, 'code=once_nope'), { ...opened, cookie });

  expect([used.status, used.headers.get('location')]).toEqual([303, '/?view=1']);
  expect([wrong.status, wrong.headers.get('location')]).toEqual([303, '/']);
});

test('a token in a URL does not sign in', async () => {
  const { url } = await serve();

  for (const name of ['token', 'code']) {
    const answer = await get(`${url}/?${name}=owner-token`, opened);
    expect([answer.status, answer.headers.has('set-cookie')]).toEqual([401, false]);
  }
});

test('the code of a link is no bearer token, before and after it is used', async () => {
  const { url, linkFor } = await serve();
  const link = linkFor('owner');
  const code = new URL(link).searchParams.get('code') ?? '';
  const status = async (): Promise<number> =>
    (await get(`${url}/whoami`, { authorization: `Bearer ${code}` })).status;

  const before = await status();
  await get(link, opened);

  expect([before, await status()]).toEqual([401, 401]);
});

test('a browser that follows a link from another site continues from an intermediate page, because its cookie is not sent yet', async () => {
  const { url } = await serve();

  for (const destination of ['document', 'empty']) {
    const headers = { ...fromElsewhere, 'sec-fetch-dest': destination };
    const visited = await get(`${url}/sessions/a?b=%22c`, headers);

    expect(visited.status).toBe(401);
    expect(await visited.text()).toContain('content="0;url=/sessions/a?b=%22c"');
  }
});

test('a user without a token gets the sign-in page, which leads to the requested page', async () => {
  const { url } = await serve();
  const answer = await get(`${url}/sessions/a?tab=1`, page);
  const shown = await answer.text();

  const signedIn = await paste(url, 'owner-token', { next: '/sessions/a?tab=1' });

  expect(answer.status).toBe(401);
  expect(shown).toContain('name="next" value="/sessions/a?tab=1"');
  expect(shown).not.toMatch(/<script|style=/u);
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/u);
  expect(answer.headers.get('referrer-policy')).toBe('same-origin');
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/sessions/a?tab=1']);
  expect((await get(`${url}/whoami`, { cookie: cookieIn(signedIn) })).status).toBe(200);
});

test.each(['owner-token', 'user-token'])(
  'at /sign-in, a browser that is signed in goes on: %s',
  async (token) => {
    const { url } = await serve();
    const cookie = cookieIn(await paste(url, token));

    expect((await get(`${url}/sign-in?next=/inbox`, { cookie })).headers.get('location')).toBe('/inbox');
  },
);

test('the page is in Chinese for browsers that prefer it', async () => {
  const { url } = await serve();

  const answer = await get(`${url}/sign-in`, { ...page, 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' });

  expect(await answer.text()).toMatch(/<html lang="zh-CN">[\s\S]*登录 Parley/u);
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/..//evil.example/',
  'javascript:1',
  '',
  '/sign-in',
])('who signs in is led nowhere else: %s', async (next) => {
  const { url } = await serve();

  expect((await paste(url, 'owner-token', { next })).headers.get('location')).toBe('/');
});

test('the form also accepts a complete link, and surrounding spaces', async () => {
  const { url, linkFor } = await serve();

  expect((await paste(url, `  ${linkFor('owner')}\n`)).status).toBe(303);
});

test.each([
  ['from another page', { origin: 'https://evil.example' }, 403],
  ['from nowhere', {}, 403],
])('a form %s does not sign in', async (_name, headers, status) => {
  const { url } = await serve();

  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ token: 'owner-token' }),
  });

  expect(answer.status).toBe(status);
  expect(answer.headers.has('set-cookie')).toBe(false);
});

test('an invalid or endless form is rejected', async () => {
  const { url } = await serve();
  const send = async (init: RequestInit): Promise<number> =>
    (await fetch(`${url}/sign-in`, { method: 'POST', ...init, headers: { origin: url, ...init.headers } }))
      .status;

  expect(await send({ body: '{}', headers: { 'content-type': 'application/json' } })).toBe(400);
  expect(await send({ body: new URLSearchParams({ token: 'x'.repeat(10_000) }) })).toBe(400);
  expect(await send({})).toBe(400);
});

test('guessing tokens on the page is slowed down, and a valid token is accepted immediately', async () => {
  const { url } = await serve({ limits: { failedTokensPerMinute: 2 } });
  expect((await paste(url, 'a')).status).toBe(401);
  await paste(url, 'b');

  const late = await paste(url, 'c');

  expect(late.status).toBe(429);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await late.text()).toContain('Try again in a minute');
  expect((await paste(url, 'owner-token')).status).toBe(303);
  expect((await get(`${url}/whoami`, { authorization: 'Bearer owner-token' })).status).toBe(200);
});

test('another site cannot lock out its visitor with wrong tokens', async () => {
  const { url } = await serve({ limits: { failedTokensPerMinute: 2 }, allowedOrigins: ['*'] });
  const origin = 'https://evil.example';
  const authorization = 'Bearer nope';

  const statuses: number[] = [];
  for (const headers of [
    { origin, authorization },
    { ...fromElsewhere, authorization },
  ]) {
    for (const _ of [1, 2, 3]) statuses.push((await get(`${url}/whoami`, headers)).status);
  }
  for (const _ of [1, 2, 3]) statuses.push((await post(url, { token: 'nope' }, { origin })).status);
  for (const _ of [1, 2, 3]) statuses.push((await get(`${url}/?code=once_nope`, fromElsewhere)).status);

  expect(new Set(statuses)).toEqual(new Set([401, 403]));
  expect((await paste(url, 'a')).status).toBe(401);
});

test('a link leads to this server, from any page that asked for it', async () => {
  const { url } = await serve({ allowedOrigins: ['https://app.example.com'] });

  const made = await fetch(`${url}/api/sign-in-links`, {
    method: 'POST',
    headers: { origin: 'https://app.example.com', authorization: 'Bearer owner-token' },
  });

  expect(await made.json()).toMatchObject({
    url: expect.stringMatching(new RegExp(`^${url}/\\?code=once_`, 'u')) as string,
  });
});

test('a link says whether other machines can use it', async () => {
  const { url } = await serve({ hosts: ['parley.example.com'] });
  const reachAt = async (host: string): Promise<unknown> => {
    const headers = { host, authorization: 'Bearer owner-token' };
    const asked = request(`${url}/api/sign-in-links`, { method: 'POST', headers, agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return JSON.parse(await text(answer));
  };

  expect(await reachAt('parley.example.com')).toMatchObject({
    url: expect.stringContaining('parley.example.com/?code=') as string,
    reach: 'network',
  });
  expect(await reachAt(new URL(url).host)).toMatchObject({ reach: 'this-machine' });
  expect(await reachAt('[::1]:7717')).toMatchObject({ reach: 'this-machine' });
});

test('a link signs in one more browser, once, with the same rights', async () => {
  const { url } = await serve();
  const made = await makeLink(url, 'user-token');
  const { url: link, expiresAt } = (await made.json()) as {
    readonly url: string;
    readonly expiresAt: string;
  };

  const first = await get(link, opened);
  const second = await get(link, opened);

  expect(made.status).toBe(201);
  expect(link).toMatch(new RegExp(`^${url}/\\?code=once_[\\w-]{32}$`, 'u'));
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  expect(await (await get(`${url}/whoami`, { cookie: cookieIn(first) })).json()).toMatchObject({
    name: 'user',
    scope: 'use',
  });
  expect(second.status).toBe(401);
});

test('a link uses the host name of the request', async () => {
  const { url } = await serve();
  const cookie = cookieIn(await paste(url, 'owner-token'));
  const { port } = new URL(url);

  const made = await fetch(`${url}/api/sign-in-links`, {
    method: 'POST',
    headers: { cookie, origin: `https://127.0.0.1:${port}` },
  });

  expect(((await made.json()) as { readonly url: string }).url).toMatch(/^https:/u);
});

test('beyond the limit the oldest link is removed, and observe cannot create links', async () => {
  const { url } = await serve({ limits: { signInLinks: 1 } });
  const linkOf = async (): Promise<string> =>
    ((await (await makeLink(url, 'owner-token')).json()) as { readonly url: string }).url;
  const [first, second] = [await linkOf(), await linkOf()];

  expect((await get(first, opened)).status).toBe(401);
  expect((await get(second, opened)).status).toBe(303);
  expect((await makeLink(url, 'watcher-token')).status).toBe(403);
});

test('a link expires, except one that is valid until it is used', async () => {
  const { url, linkFor } = await serve({ limits: { signInLinkMs: 0 } });
  const made = (await (await makeLink(url, 'owner-token')).json()) as { readonly url: string };

  expect((await get(made.url, opened)).status).toBe(401);
  expect((await get(linkFor('owner', { lifetimeMs: Infinity }), opened)).status).toBe(303);
});

test('setting the clock forward does not expire a link', async () => {
  const { linkFor } = await serve();
  const link = linkFor('owner');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60_000 });
  try {
    expect((await get(link, opened)).status).toBe(303);
  } finally {
    vi.useRealTimers();
  }
});

test('links that users make do not replace the one that is valid until it is used', async () => {
  const { linkFor } = await serve({ limits: { signInLinks: 1 } });
  const printed = linkFor('owner', { lifetimeMs: Infinity });
  const [first, second] = [linkFor('owner'), linkFor('owner')];

  expect((await get(first, opened)).status).toBe(401);
  expect((await get(second, opened)).status).toBe(303);
  expect((await get(printed, opened)).status).toBe(303);
});

test('two servers on one host have separate cookies, and keep their names', async () => {
  const browsers = createBrowserSessions({ limit: 9, lifetimeMs: 1e9, now: () => 0 });
  const [one, other, sameAgain] = [await serve({ browsers }), await serve(), await serve({ browsers })];
  const names = await Promise.all(
    [one, other, sameAgain].map(async ({ url }) => cookieIn(await paste(url, 'owner-token')).split('=')[0]),
  );

  expect(names[0]).toMatch(/^parley-[\da-f]{12}$/u);
  expect(names[1]).not.toBe(names[0]);
  expect(names[2]).toBe(names[0]);
});

test('over TLS the cookie is bound to the host, and one set without TLS is not accepted', async () => {
  const { url } = await serve();
  const encrypted = { 'x-forwarded-proto': 'https' };
  const signedIn = await post(url, { token: 'owner-token' }, { origin: url, ...encrypted });
  const cookie = cookieIn(signedIn);
  const plain = cookie.replace('__Host-', '');
  const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await get(`${url}/whoami`, headers)).status;

  expect(signedIn.headers.get('set-cookie')).toMatch(
    /^__Host-parley-[\da-f]{12}=[\w-]{32}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/u,
  );
  expect(await status({ cookie, ...encrypted })).toBe(200);
  expect(await status({ cookie: plain, ...encrypted })).toBe(401);
  // A proxy need not say it of each request.
  expect(await status({ cookie })).toBe(200);

  const signedOut = await fetch(`${url}/api/sign-out`, {
    method: 'POST',
    headers: { cookie, origin: url, ...encrypted },
  });
  expect(signedOut.headers.get('set-cookie')).toMatch(
    /^__Host-parley-[\da-f]{12}=; Path=\/; Max-Age=0;.*; Secure$/u,
  );
});

test('signing out ends the cookie and WebSockets of that browser only', async () => {
  const { url } = await serve();
  const cookie = cookieIn(await paste(url, 'owner-token'));
  const other = cookieIn(await paste(url, 'owner-token'));
  const [socket, kept] = await Promise.all([connect(url, cookie), connect(url, other)]);
  const closed = once(socket, 'close') as Promise<[number]>;

  const answer = await fetch(`${url}/api/sign-out`, { method: 'POST', headers: { cookie, origin: url } });

  expect(answer.headers.get('set-cookie')).toMatch(/=; Path=\/; Max-Age=0;/u);
  expect((await closed)[0]).toBe(4401);
  expect((await get(`${url}/whoami`, { cookie })).status).toBe(401);
  expect((await get(`${url}/whoami`, { cookie: other })).status).toBe(200);
  expect(kept.readyState).toBe(WebSocket.OPEN);
  kept.terminate();
});

test('a token that is revoked ends its cookies and its WebSockets', async () => {
  const tokens = new Set(records);
  const { url } = await serve({ tokens: () => tokens, limits: { passCheckMs: 5 } });
  const cookie = cookieIn(await paste(url, 'user-token'));
  const sockets = await Promise.all([
    connect(url, cookie),
    connect(url, undefined, { authorization: 'Bearer user-token' }),
  ]);
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close') as Promise<[number]>));

  for (const record of records) if (record.name === 'user') tokens.delete(record);

  expect((await closed).map(([code]) => code)).toEqual([4401, 4401]);
  expect((await get(`${url}/whoami`, { cookie })).status).toBe(401);
});

test.each([
  ['/api/sign-out', 'https://app.example.com'],
  ['/api/sign-in-links', 'https://app.example.com'],
  ['/api/sign-out', undefined],
])('with a cookie, %s is for our own page only, not for %s', async (path, origin) => {
  const { url } = await serve({ allowedOrigins: ['https://app.example.com'] });
  const cookie = cookieIn(await paste(url, 'owner-token'));

  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { cookie, ...(origin !== undefined && { origin }) },
  });

  expect(answer.status).toBe(401);
  expect((await get(`${url}/whoami`, { cookie })).status).toBe(200);
});

const records: readonly TokenRecord[] = [
  toTokenRecord('owner-token', { name: 'owner', scope: 'admin' }),
  toTokenRecord('user-token', { name: 'user', scope: 'use' }),
  toTokenRecord('watcher-token', { name: 'watcher', scope: 'observe' }),
];

interface Served {
  readonly url: string;
  linkFor(name: string, options?: { readonly lifetimeMs: number }): string;
}

async function serve(options: Partial<GatewayOptions> = {}): Promise<Served> {
  const gateway = createGateway({
    port: 0,
    tokens: () => records,
    routes: [
      { path: '/whoami', answer: (_request, { principal }) => Response.json(principal) },
      {
        path: '/socket',
        answer: () => Response.json({}),
        upgrade: (_request, { signal }) =>
          Promise.resolve(acceptWebSocket(() => {}, { headers: [], maxMessageBytes: 1024, signal })),
      },
    ],
    ...options,
  });
  await gateway.listen();
  open.push(gateway);
  return {
    url: gateway.url,
    linkFor: (name, link) => {
      const record = records.find((known) => known.name === name);
      return record === undefined ? expect.unreachable(name) : gateway.makeSignInLink(record, link);
    },
  };
}

/** `fetch` says by itself what it asks for. */
async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const asked = request(url, { headers, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await text(answer);
  const fields = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(body, { status: answer.statusCode ?? 0, headers: fields });
}

function paste(url: string, token: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  return post(url, { token, ...more });
}

function post(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { origin: url },
): Promise<Response> {
  return fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  });
}

/** The hidden fields of a form. */
function fieldsIn(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/gu);
  return Object.fromEntries(Array.from(fields, ([, name = '', value = '']) => [name, value]));
}

async function whoIs(url: string, signedIn: Response): Promise<unknown> {
  return (await get(`${url}/whoami`, { cookie: cookieIn(signedIn) })).json();
}

function makeLink(url: string, token: string): Promise<Response> {
  return fetch(`${url}/api/sign-in-links`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

function cookieIn(answer: Response): string {
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

async function connect(
  url: string,
  cookie: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`, {
    headers: { ...headers, ...(cookie !== undefined && { cookie, origin: url }) },
  });
  await once(socket, 'open');
  return socket;
}
