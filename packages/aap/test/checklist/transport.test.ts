import { describe, expect, test } from 'vitest';
import { eventsOf, json, says, stage } from '../stage.ts';

const idle = async (): Promise<void> => undefined;
const keys = (request: Request) => {
  const key = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  if (key === 'look') return { tenant: 'a', isReadOnly: true };
  return key === 'a' || key === 'b' ? { tenant: key } : undefined;
};

test('row 9, 11: without a valid key each path returns 401, as JSON and with the scheme', async () => {
  const { send } = stage(idle, { authorize: keys });
  for (const headers of [
    {},
    { authorization: 'Bearer unknown' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
  ]) {
    const response = await send('GET', '/sessions', undefined, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await json(response)).toMatchObject({ code: 'unauthorized' });
  }
});

test('row 10: sessions of others do not exist, and a read-only key changes nothing', async () => {
  const { send } = stage(idle, { authorize: keys });
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const { sessionId } = await json(await send('POST', '/sessions', { agent: { name: 'tester' } }, as('a')));
  const path = `/sessions/${String(sessionId)}`;

  expect((await send('GET', path, undefined, as('b'))).status).toBe(404);
  expect((await send('DELETE', path, undefined, as('b'))).status).toBe(404);
  expect((await send('POST', `${path}/turns`, says('hi'), as('b'))).status).toBe(404);
  expect(await json(await send('GET', '/sessions', undefined, as('b')))).toEqual({ sessions: [] });
  expect((await send('GET', path, undefined, as('look'))).status).toBe(200);
  expect((await send('POST', `${path}/turns`, says('hi'), as('look'))).status).toBe(403);
  expect((await send('GET', path, undefined, as('a'))).status).toBe(200);
});

test('row 13: the server works below any path, and serves nothing outside of it', async () => {
  const { send } = stage(idle, { basePath: '/deep/aap/' });
  expect((await send('GET', '/deep/aap/meta')).status).toBe(200);
  expect((await send('GET', '/meta')).status).toBe(404);
  expect((await send('GET', '/deep/aapmeta')).status).toBe(404);
  const created = await send('POST', '/deep/aap/sessions', { agent: { name: 'tester' } });
  expect((await send('GET', created.headers.get('location') ?? '')).status).toBe(200);
});

test('row 14: invalid JSON or UTF-8 is 400', async () => {
  const { send, server } = stage(idle);
  for (const body of [
    '',
    '{',
    '{"agent":',
    'null',
    '[]',
    '"x"',
    '['.repeat(100_000),
    `${'['.repeat(1000)}${']'.repeat(1000)}`,
  ]) {
    expect((await send('POST', '/sessions', body)).status).toBe(400);
  }
  const body = Uint8Array.of(0x22, 0xc3, 0x28, 0x22);
  const request = new Request('http://localhost/sessions', { method: 'POST', body });
  expect((await server.handle(request)).status).toBe(400);
});

test('row 15: an error has a message, a code and a request id', async () => {
  const { send } = stage(idle);
  const response = await send('GET', '/sessions/unknown', undefined, { 'x-request-id': 'r-1' });
  expect(response.headers.get('x-request-id')).toBe('r-1');
  expect(await json(response)).toEqual({
    error: 'the session does not exist',
    code: 'unknown_session',
    requestId: 'r-1',
  });
  const other = await send('GET', '/nothing', undefined, { 'x-request-id': 'not an id' });
  expect((await json(other))['requestId']).toMatch(/^[\da-f-]{36}$/);
});

test('row 16: an unknown path is 404, a wrong method 405 with the allowed ones, and a trailing slash is ignored', async () => {
  const { send } = stage(idle);
  expect(await json(await send('GET', '/nothing'))).toMatchObject({ code: 'not_found' });
  const response = await send('PATCH', '/sessions');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  expect((await send('GET', '/sessions/')).status).toBe(200);
});

test('row 17: a body is JSON with or without a content type, and no other type', async () => {
  const { send, server } = stage(idle);
  const body = JSON.stringify({ agent: { name: 'tester' } });
  const bare = new Request('http://localhost/sessions', {
    method: 'POST',
    body: new TextEncoder().encode(body),
  });
  expect(bare.headers.get('content-type')).toBe(null);
  expect((await server.handle(bare)).status).toBe(201);
  for (const type of ['application/json; charset=utf-8', 'application/vnd.x+json']) {
    expect((await send('POST', '/sessions', body, { 'content-type': type })).status).toBe(201);
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const response = await send('POST', '/sessions', body, { 'content-type': type });
    expect(response.status).toBe(415);
    const message = `the body is ${type.split(';', 1)[0] ?? ''}; expected application/json`;
    expect(await json(response)).toMatchObject({ code: 'unsupported_media_type', error: message });
  }
});

describe('what the client accepts', () => {
  const go = { messages: [{ role: 'user', content: 'go' }] };

  test.each([
    ['GET', '/meta', undefined, 'text/html'],
    ['GET', '/sessions', undefined, 'text/event-stream'],
    ['GET', '/sessions/ID', undefined, 'application/*;q=0, */*'],
    ['POST', '/sessions', { agent: { name: 'tester' } }, 'image/*'],
    ['POST', '/sessions/ID/turns', go, 'text/event-stream'],
    ['POST', '/sessions/ID/turns', { ...go, stream: 'delta' }, 'application/json'],
    ['POST', '/sessions/ID/turns', { ...go, stream: 'message' }, 'text/*;q=0.0'],
    ['GET', '/sessions/ID/turns/TURN/events', undefined, 'application/json'],
  ])('%s %s of %j is refused before anything is done where %s leaves the answer out', async (...given) => {
    const [method, path, body, accept] = given;
    const { send, create } = stage(idle);
    const sessionId = await create();
    const response = await send(method, path.replace('ID', sessionId), body, { accept });
    expect(response.status).toBe(406);
    expect(await json(response)).toMatchObject({ code: 'not_acceptable' });
    expect(await json(await send('GET', `/sessions/${sessionId}/turns`))).toEqual({ turns: [] });
    expect(await json(await send('GET', '/sessions'))).toMatchObject({ sessions: [{ sessionId }] });
  });

  test.each([
    ['/meta', '*/*'],
    ['/meta', 'text/html, application/json;q=0.1'],
    ['/meta', 'Application/*'],
    ['/meta', ''],
    ['/sessions', 'application/json; charset=utf-8, text/event-stream'],
  ])('%s is answered where %j leaves it in', async (path, accept) => {
    const { send } = stage(idle);
    expect((await send('GET', path, undefined, { accept })).status).toBe(200);
  });

  test('a session is deleted with any Accept header: the response is empty', async () => {
    const { send, create } = stage(idle);
    const path = `/sessions/${await create()}`;
    expect((await send('DELETE', path, undefined, { accept: 'text/html' })).status).toBe(204);
  });
});

describe('HEAD', () => {
  test('is answered as GET, without the body', async () => {
    const { send, create } = stage(idle);
    const path = `/sessions/${await create()}`;
    for (const each of ['/meta', '/sessions', path, `${path}/turns`, `${path}/history?type=full`]) {
      const [head, got] = [await send('HEAD', each), await send('GET', each)];
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'));
    }
    expect((await send('HEAD', '/sessions/none')).status).toBe(404);
    expect((await send('HEAD', `${path}/turns/t/cancel`)).status).toBe(405);
  });

  test('of the events of a turn does not affect the turn', async () => {
    let finish: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { server, send, create } = stage(
      async (run) => {
        await run.text('one');
        await done;
      },
      { onDisconnect: 'cancel' },
    );
    const path = `/sessions/${await create()}/turns`;
    const turn = await send('POST', path, { stream: 'delta', messages: [{ role: 'user', content: 'go' }] });
    const head = await send('HEAD', `${path}/${turn.headers.get('aap-turn-id') ?? ''}/events`);
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([
      200,
      'text/event-stream',
      null,
    ]);
    expect((await server.status()).openStreams).toBe(1);
    finish();
    expect((await eventsOf(turn)).at(-1)?.data).toMatchObject({ stopReason: 'end_turn' });
  });
});

test('row 14: an aborted body is 400, and not a server error', async () => {
  const faults: unknown[] = [];
  const { server } = stage(idle, { onEvent: (event) => faults.push(event) });
  const broken = new Request('http://localhost/sessions', {
    method: 'POST',
    body: new ReadableStream({
      pull: () => {
        throw new Error('the connection was reset');
      },
    }),
    duplex: 'half',
  });

  expect((await server.handle(broken)).status).toBe(400);
  expect(faults).toEqual([]);
});

test('row 18: a body over the limit is 413, with or without a declared length', async () => {
  const { send, server } = stage(idle, { limits: { bodyBytes: 100 } });
  const body = JSON.stringify({ agent: { name: 'tester' }, padding: 'x'.repeat(100) });
  expect((await send('POST', '/sessions', body)).status).toBe(413);
  const pieces = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('x'.repeat(60)));
    },
  });
  const endless = new Request('http://localhost/sessions', {
    method: 'POST',
    body: pieces,
    duplex: 'half',
  });
  expect((await server.handle(endless)).status).toBe(413);
});

test('row 19: ids are long, random and plain characters; paths cannot traverse', async () => {
  const { send, create } = stage(idle);
  const ids = await Promise.all(Array.from({ length: 50 }, () => create()));
  expect(new Set(ids).size).toBe(50);
  for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
  for (const id of ['a%2F..%2Fb', '..%2f', '%00', 'a b', '__proto__', 'x'.repeat(500)]) {
    expect((await send('GET', `/sessions/${id}`)).status).toBe(404);
    expect((await send('POST', `/sessions/${id}/turns`, says('hi'))).status).toBe(404);
  }
});
