import { createAapServer, openApiDocument, type ServedAgent } from '@parley/aap/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aapRoute, createGateway, toTokenRecord, type Gateway } from '../../src/index.ts';

type Actor = 'owner' | 'other' | 'admin' | 'observe';

/** What a request about a session of `owner` is answered with. */
interface Row {
  readonly body?: object;
  readonly statuses: Readonly<Record<Actor, number>>;
}

const allowed = { owner: 200, other: 200, admin: 200, observe: 200 } as const;
const looking = { ...allowed, other: 404 } as const;
const changing = { ...looking, observe: 403 } as const;

/** Each endpoint of AAP. A new one needs a row here. */
const rows: Readonly<Record<string, Row>> = {
  'GET /meta': { statuses: allowed },
  'GET /sessions': { statuses: allowed },
  'POST /sessions': {
    body: { agent: { name: 'echo' } },
    statuses: { owner: 201, other: 201, admin: 201, observe: 403 },
  },
  'GET /sessions/{sessionId}': { statuses: looking },
  'DELETE /sessions/{sessionId}': { statuses: { ...changing, owner: 204, admin: 204 } },
  'GET /sessions/{sessionId}/history': { statuses: looking },
  'GET /sessions/{sessionId}/turns': { statuses: looking },
  'POST /sessions/{sessionId}/turns': {
    body: { stream: 'delta', messages: [{ role: 'user', content: 'hi' }] },
    statuses: changing,
  },
  'GET /sessions/{sessionId}/turns/{turnId}': { statuses: looking },
  'GET /sessions/{sessionId}/turns/{turnId}/events': { statuses: looking },
  'POST /sessions/{sessionId}/turns/{turnId}/cancel': { statuses: changing },
};

test('each endpoint of AAP has a row', () => {
  const { paths } = openApiDocument({ serverUrl: 'https://example.com' });
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(Object.keys(rows).toSorted()).toEqual(endpoints.toSorted());
});

const echo: ServedAgent = {
  info: { name: 'echo', version: '1.0.0', capabilities: { stream: { delta: {} }, history: { full: {} } } },
  run: async (run) => {
    await run.text('hello');
    return { stopReason: 'end_turn' };
  },
};

let gateway: Gateway;

beforeAll(async () => {
  const tokens = [
    toTokenRecord('owner', { name: 'owner', scope: 'use' }),
    toTokenRecord('other', { name: 'other', scope: 'use' }),
    toTokenRecord('admin', { name: 'admin', scope: 'admin' }),
    toTokenRecord('observe', { name: 'observe', scope: 'observe' }),
  ];
  gateway = createGateway({
    port: 0,
    tokens: () => tokens,
    routes: [aapRoute(createAapServer([echo], { basePath: '/aap' }))],
  });
  await gateway.listen();
});

afterAll(() => gateway.close({ graceMs: 0 }));

function ask(actor: Actor, endpoint: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = endpoint.split(' ');
  return fetch(`${gateway.url}/aap${path}${path.endsWith('/history') ? '?type=full' : ''}`, {
    method,
    headers: { authorization: `Bearer ${actor}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A session with a turn that has ended. */
async function beginAs(actor: Actor): Promise<{ readonly sessionId: string; readonly turnId: string }> {
  const created = await ask(actor, 'POST /sessions', { agent: { name: 'echo' } });
  const { sessionId } = (await created.json()) as { readonly sessionId: string };
  const turn = await ask(actor, `POST /sessions/${sessionId}/turns`, {
    stream: 'delta',
    messages: [{ role: 'user', content: 'hi' }],
  });
  await turn.text();
  return { sessionId, turnId: turn.headers.get('aap-turn-id') ?? '' };
}

/** What an answer says, but for the id of its request. */
async function contentOf(answer: Response): Promise<unknown> {
  const { requestId: _, ...content } = (await answer.json()) as { readonly requestId?: string };
  const headers = [...answer.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status: answer.status, headers, content };
}

const actors: readonly Actor[] = ['owner', 'other', 'admin', 'observe'];

test.each(Object.entries(rows))('access to %s', async (endpoint, { body, statuses }) => {
  for (const actor of actors) {
    const { sessionId, turnId } = await beginAs('owner');
    const at = (id: string): string => endpoint.replace('{sessionId}', id).replace('{turnId}', turnId);

    const answer = await ask(actor, at(sessionId), body);

    expect(answer.status, actor).toBe(statuses[actor]);
    if (answer.status === 404) {
      const missing = await ask(actor, at('AAAAAAAAAAAAAAAAAAAAAA'), body);
      expect(await contentOf(answer)).toEqual(await contentOf(missing));
    } else {
      await answer.body?.cancel();
    }
  }
});

test('lists and pages contain only sessions that the token may see', async () => {
  const own = [await beginAs('owner'), await beginAs('owner')].map(({ sessionId }) => sessionId);
  await beginAs('other');
  const listed: string[] = [];
  let path = '/sessions?limit=1';
  for (;;) {
    const { sessions, next } = (await (await ask('owner', `GET ${path}`)).json()) as {
      readonly sessions: readonly { readonly sessionId: string }[];
      readonly next?: string;
    };
    expect(sessions).toHaveLength(1);
    listed.push(...sessions.map(({ sessionId }) => sessionId));
    if (next === undefined) break;
    path = `/sessions?limit=1&after=${next}`;
  }

  expect(listed).toEqual(expect.arrayContaining(own));
  for (const sessionId of listed) {
    expect((await ask('other', `GET /sessions/${sessionId}`)).status).toBe(404);
  }
});
