import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { toTokenRecord, type TokenRecord } from '../access/token.ts';
import { acceptWebSocket } from '../server/accept-web-socket.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../server/create-gateway.ts';

const open: Gateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close({ graceMs: 0 })));
});

const page = { accept: 'text/html,application/xhtml+xml' };
const fromElsewhere = { ...page, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };

test('the URL with the token lets one browser in, and the next one is told what to do', async () => {
  const { url } = await serve();
  const first = await get(`${url}/?token=owner-token`, page);

  const second = await get(`${url}/?token=owner-token`, page);
  const program = await get(`${url}/?token=owner-token`);

  expect(first.status).toBe(303);
  expect(second.status).toBe(401);
  expect(second.headers.has('set-cookie')).toBe(false);
  expect(await second.text()).toMatch(/each works once[\s\S]*<form method="post" action="\/sign-in">/u);
  expect(program.status).toBe(401);
  expect(await program.json()).toMatchObject({ code: 'token_used', requestId: expect.any(String) as string });
});

test('whoever is signed in goes on by the used URL, by a wrong one too', async () => {
  const { url } = await serve();
  const cookie = cookieIn(await get(`${url}/?token=owner-token`));

  const used = await get(`${url}/?token=owner-token&view=1`, { cookie });
  const wrong = await get(`${url}/?token=nope`, { cookie });

  expect([used.status, used.headers.get('location')]).toEqual([303, '/?view=1']);
  expect([wrong.status, wrong.headers.get('location')]).toEqual([303, '/']);
});

test('a token that was used up in a URL is still good to be pasted, and as a bearer token', async () => {
  const { url } = await serve();
  await get(`${url}/?token=owner-token`);

  expect((await paste(url, 'owner-token')).status).toBe(303);
  expect((await get(`${url}/whoami`, { authorization: 'Bearer owner-token' })).status).toBe(200);
});

test('a browser that was led here from elsewhere goes on from a page of ours, for its cookie is not sent yet', async () => {
  const { url } = await serve();

  const exchanged = await get(`${url}/?token=owner-token`, fromElsewhere);
  const text = await exchanged.text();
  const visited = await get(`${url}/sessions/a?b=%22c`, fromElsewhere);

  expect(exchanged.status).toBe(200);
  expect(cookieIn(exchanged)).toMatch(/^parley-\d+=/u);
  expect(text).toContain('http-equiv="refresh" content="0;url=/"');
  expect(visited.status).toBe(401);
  expect(await visited.text()).toContain('content="0;url=/sessions/a?b=%22c"');
});

test('a person without a token gets the page to sign in on, which leads to where they wanted', async () => {
  const { url } = await serve();
  const answer = await get(`${url}/sessions/a?tab=1`, page);
  const text = await answer.text();

  const signedIn = await paste(url, 'owner-token', { next: '/sessions/a?tab=1' });

  expect(answer.status).toBe(401);
  expect(text).toContain('name="next" value="/sessions/a?tab=1"');
  expect(text).not.toMatch(/<script|style=/u);
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/u);
  expect(answer.headers.get('referrer-policy')).toBe('same-origin');
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/sessions/a?tab=1']);
  expect((await get(`${url}/whoami`, { cookie: cookieIn(signedIn) })).status).toBe(200);
});

test('at /sign-in, who is signed in goes on, and who brought a token for programs can bring another', async () => {
  const { url } = await serve();
  const owner = cookieIn(await paste(url, 'owner-token'));
  const user = cookieIn(await paste(url, 'user-token'));

  expect((await get(`${url}/sign-in?next=/inbox`, { cookie: owner })).headers.get('location')).toBe('/inbox');
  expect((await get(`${url}/sign-in`, { cookie: user })).status).toBe(200);
});

test('the page speaks Chinese to those who do', async () => {
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

test('the whole URL may be pasted too, and blanks around it', async () => {
  const { url } = await serve();

  expect((await paste(url, `  ${url}/?token=owner-token\n`)).status).toBe(303);
});

test.each([
  ['from another page', { origin: 'https://evil.example' }, 403],
  ['from nowhere', {}, 403],
])('a form %s signs nobody in', async (_name, headers, status) => {
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

test('a form that is none, or endless, is refused', async () => {
  const { url } = await serve();
  const post = async (init: RequestInit): Promise<number> =>
    (await fetch(`${url}/sign-in`, { method: 'POST', ...init, headers: { origin: url, ...init.headers } }))
      .status;

  expect(await post({ body: '{}', headers: { 'content-type': 'application/json' } })).toBe(400);
  expect(await post({ body: new URLSearchParams({ token: 'x'.repeat(10_000) }) })).toBe(400);
  expect(await post({})).toBe(400);
});

test('whoever tries tokens on the page has to wait', async () => {
  const { url } = await serve({ limits: { failedTokensPerMinute: 2 } });
  expect((await paste(url, 'a')).status).toBe(401);
  await paste(url, 'b');

  const late = await paste(url, 'owner-token');

  expect(late.status).toBe(429);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await late.text()).toContain('Wait a minute');
});

test('a page from elsewhere keeps nobody out by bringing wrong tokens, nor does it use up the right one', async () => {
  const { url } = await serve({ limits: { failedTokensPerMinute: 2 } });
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
  const frame = { ...page, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' };

  for (const headers of [image, image, frame, frame]) {
    expect((await get(`${url}/?token=nope`, headers)).status).toBe(403);
  }
  const right = await get(`${url}/?token=owner-token`, frame);

  expect([right.status, right.headers.has('set-cookie')]).toEqual([403, false]);
  expect((await get(`${url}/?token=owner-token`, page)).status).toBe(303);
});

test('whoever is signed in need not wait for those who try tokens', async () => {
  const { url } = await serve({ limits: { failedTokensPerMinute: 2 } });
  const cookie = cookieIn(await get(`${url}/?token=owner-token`));
  await paste(url, 'a');
  await paste(url, 'b');

  expect((await get(`${url}/whoami`, { authorization: 'Bearer owner-token' })).status).toBe(429);
  expect((await get(`${url}/whoami`, { cookie })).status).toBe(200);
});

test('a link leads to this server, whatever page asked for it', async () => {
  const { url } = await serve({ allowedOrigins: ['https://app.example.com'] });

  const made = await fetch(`${url}/api/sign-in-links`, {
    method: 'POST',
    headers: { origin: 'https://app.example.com', authorization: 'Bearer owner-token' },
  });

  expect(await made.json()).toMatchObject({
    url: expect.stringMatching(new RegExp(`^${url}/\\?token=once_`, 'u')) as string,
  });
});

test('a link lets one more browser in, once, and with no more rights', async () => {
  const { url } = await serve();
  const made = await makeLink(url, 'user-token');
  const { url: link, expiresAt } = (await made.json()) as {
    readonly url: string;
    readonly expiresAt: string;
  };

  const first = await get(link);
  const second = await get(link, page);

  expect(made.status).toBe(201);
  expect(link).toMatch(new RegExp(`^${url}/\\?token=once_[\\w-]{32}$`, 'u'));
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  expect(await (await get(`${url}/whoami`, { cookie: cookieIn(first) })).json()).toMatchObject({
    name: 'user',
    scope: 'use',
  });
  expect(second.status).toBe(401);
});

test('a link is told under the name by which the browser knows the server', async () => {
  const { url } = await serve();
  const cookie = cookieIn(await get(`${url}/?token=owner-token`));
  const { port } = new URL(url);

  const made = await fetch(`${url}/api/sign-in-links`, {
    method: 'POST',
    headers: { cookie, origin: `https://127.0.0.1:${port}` },
  });

  expect(((await made.json()) as { readonly url: string }).url).toMatch(/^https:/u);
});

test('of too many links the oldest is of no use, and whoever may only look makes none', async () => {
  const { url } = await serve({ limits: { signInLinks: 1 } });
  const linkOf = async (): Promise<string> =>
    ((await (await makeLink(url, 'owner-token')).json()) as { readonly url: string }).url;
  const [first, second] = [await linkOf(), await linkOf()];

  expect((await get(first)).status).toBe(401);
  expect((await get(second)).status).toBe(303);
  expect((await makeLink(url, 'watcher-token')).status).toBe(403);
});

test('a link is of no use when its time is over', async () => {
  const { url } = await serve({ limits: { signInLinkMs: 0 } });
  const made = await makeLink(url, 'owner-token');

  expect((await get(((await made.json()) as { readonly url: string }).url)).status).toBe(401);
});

test('signing out ends the cookie and the WebSockets of that browser alone', async () => {
  const { url } = await serve();
  const cookie = cookieIn(await get(`${url}/?token=owner-token`));
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
  const cookie = cookieIn(await get(`${url}/?token=user-token`));
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
  const cookie = cookieIn(await get(`${url}/?token=owner-token`));

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

async function serve(options: Partial<GatewayOptions> = {}): Promise<{ readonly url: string }> {
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
  return gateway;
}

function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual' });
}

function paste(url: string, token: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ token, ...more }),
  });
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
