import { expect, test } from 'vitest';
import { json, says, stage } from '../stage.ts';

const idle = async (): Promise<void> => undefined;
const keys = (request: Request) => {
  const key = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  if (key === 'look') return { tenant: 'a', isReadOnly: true };
  return key === 'a' || key === 'b' ? { tenant: key } : undefined;
};

test('row 9, 11: without a key that is known each path answers 401, as JSON and with the scheme', async () => {
  const { send } = stage(idle, { authorize: keys });
  for (const headers of [
    {},
    { authorization: 'Bearer nobody' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
  ]) {
    const response = await send('GET', '/sessions', undefined, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await json(response)).toMatchObject({ code: 'unauthorized' });
  }
});

test("row 10: another's session does not exist, and a key that may only look changes nothing", async () => {
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

test('row 13: the server is below any path, and answers nothing outside of it', async () => {
  const { send } = stage(idle, { basePath: '/deep/aap/' });
  expect((await send('GET', '/deep/aap/meta')).status).toBe(200);
  expect((await send('GET', '/meta')).status).toBe(404);
  expect((await send('GET', '/deep/aapmeta')).status).toBe(404);
  const created = await send('POST', '/deep/aap/sessions', { agent: { name: 'tester' } });
  expect((await send('GET', created.headers.get('location') ?? '')).status).toBe(200);
});

test('row 14: what is no JSON, or no UTF-8, is 400', async () => {
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

test('row 15: an error says it in words, as a code, and under which id', async () => {
  const { send } = stage(idle);
  const response = await send('GET', '/sessions/nobody', undefined, { 'x-request-id': 'r-1' });
  expect(response.headers.get('x-request-id')).toBe('r-1');
  expect(await json(response)).toEqual({
    error: 'there is no such session',
    code: 'unknown_session',
    requestId: 'r-1',
  });
  const other = await send('GET', '/nothing', undefined, { 'x-request-id': 'not an id' });
  expect((await json(other))['requestId']).toMatch(/^[\w-]{22}$/);
});

test('row 16: an unknown path is 404, a wrong method 405 with those there are, a slash at the end is nothing', async () => {
  const { send } = stage(idle);
  expect(await json(await send('GET', '/nothing'))).toMatchObject({ code: 'not_found' });
  const response = await send('PATCH', '/sessions');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, POST');
  expect((await send('GET', '/sessions/')).status).toBe(200);
});

test('row 17: a body is JSON with or without saying so, and nothing else', async () => {
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
    expect((await send('POST', '/sessions', body, { 'content-type': type })).status).toBe(415);
  }
});

test('row 14: a body that breaks off is 400, and no fault of the server', async () => {
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

test('row 18: a body over the limit is 413, whether its length is told or not', async () => {
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

test('row 19: ids are long, random and of plain characters; a path does not lead elsewhere', async () => {
  const { send, create } = stage(idle);
  const ids = await Promise.all(Array.from({ length: 50 }, () => create()));
  expect(new Set(ids).size).toBe(50);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
  for (const id of ['a%2F..%2Fb', '..%2f', '%00', 'a b', '__proto__', 'x'.repeat(500)]) {
    expect((await send('GET', `/sessions/${id}`)).status).toBe(404);
    expect((await send('POST', `/sessions/${id}/turns`, says('hi'))).status).toBe(404);
  }
});
