import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AapClientError, AapError } from './aap-error.ts';
import { clientOf, event, events, json } from './scripted-server.fixture.ts';

const session = { sessionId: 's1', agent: { name: 'echo' } };
const hello = { messages: [{ role: 'user', content: 'Hello' }] } as const;

describe('requests', () => {
  test('go to paths below the base URL, with encoded ids', async () => {
    const { client, seen } = clientOf([
      json({ version: 3, agents: [] }),
      json({ sessions: [] }),
      json({ sessionId: 's1' }, { status: 201 }),
      json(session),
      json({ history: { full: [] } }),
      () => new Response(null, { status: 204 }),
      json({ stopReason: 'end_turn', messages: [] }),
      json({ turns: [] }),
      json({ turnId: 't1', status: 'stopped' }),
      () => new Response(null, { status: 202 }),
    ]);
    await client.getMeta();
    await client.getSessions({ after: 'a&b', limit: 5 });
    await client.createSession({ agent: { name: 'echo' } }, { idempotencyKey: 'k' });
    await client.getSession('a/../b');
    await client.getHistory('s1', 'full');
    await client.deleteSession('s 1');
    await client.postTurn('s1', hello);
    await client.getTurns('s1');
    await client.getTurn('s1', 't/1');
    await client.cancelTurn('s1', 't1');
    const base = 'https://aap.example/base';
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${base}/meta`,
      `GET ${base}/sessions?after=a%26b&limit=5`,
      `POST ${base}/sessions`,
      `GET ${base}/sessions/a%2F..%2Fb`,
      `GET ${base}/sessions/s1/history?type=full`,
      `DELETE ${base}/sessions/s%201`,
      `POST ${base}/sessions/s1/turns`,
      `GET ${base}/sessions/s1/turns`,
      `GET ${base}/sessions/s1/turns/t%2F1`,
      `POST ${base}/sessions/s1/turns/t1/cancel`,
    ]);
    expect(seen[2]?.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k' });
    expect(seen[6]?.body).toEqual({ ...hello, stream: 'none' });
  });

  test.for(['', '.', '..'])('an id that no path can hold is refused: %j', async (id) => {
    const { client, seen } = clientOf([]);
    await expect(client.deleteSession(id)).rejects.toMatchObject({ code: 'invalid-id' });
    expect(seen).toEqual([]);
  });

  test('have the key and headers of the client; an empty key is ignored', async () => {
    const meta = json({ version: 3, agents: [] });
    const headers = { 'x-team': 'a' };
    const known = clientOf([meta], { apiKey: 'secret', headers, baseUrl: 'https://aap.example/' });
    await known.client.getMeta();
    expect(known.seen[0]?.url).toBe('https://aap.example/meta');
    expect(known.seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-team': 'a' });
    const anonymous = clientOf([meta], { apiKey: '' });
    await anonymous.client.getMeta();
    expect(anonymous.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('a key that is invalid in a header is rejected without quoting it', () => {
    expect(() => clientOf([], { apiKey: 'very\nsecret' })).toThrow(/^the API key has characters/);
  });
});

describe('answers', () => {
  test('an error response is an AapError with all details', async () => {
    const body = { error: 'busy', code: 'turn_in_progress', requestId: 'r1', details: { turnId: 't1' } };
    const { client } = clientOf([json(body, { status: 409, headers: { 'retry-after': '2' } })]);
    const error = await client.postTurn('s1', hello).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AapError);
    expect(error).toMatchObject({
      status: 409,
      code: 'turn_in_progress',
      requestId: 'r1',
      details: { turnId: 't1' },
      retryAfterMs: 2000,
      message: 'POST /sessions/s1/turns: 409: turn_in_progress: busy',
    });
  });

  test('an error response without JSON is an AapError too', async () => {
    const { client } = clientOf([() => new Response('Unauthorized', { status: 401 })]);
    await expect(client.getMeta()).rejects.toMatchObject({
      status: 401,
      message: 'GET /meta: 401: Unauthorized',
    });
  });

  test('a redirect is not followed: it would send the request elsewhere', async () => {
    const { client, seen } = clientOf([
      (request) => {
        expect(request.redirect).toBe('manual');
        return new Response(null, { status: 307, headers: { location: 'https://other.example/' } });
      },
    ]);
    await expect(client.postTurn('s1', hello)).rejects.toMatchObject({
      status: 307,
      message: expect.stringMatching(/redirect \(307\): name the address/),
    });
    expect(seen).toHaveLength(1);
  });

  test.for([
    ['{', 'the response is not valid JSON'],
    ['{"version":2,"agents":[]}', 'version: expected 3'],
    ['{"version":3,"agents":[{"name":"a"}]}', 'agents[0].version: expected a string'],
  ])('what is not what the protocol says is refused: %s', async ([text, problem]) => {
    const { client } = clientOf([() => new Response(text)]);
    await expect(client.getMeta()).rejects.toMatchObject({
      code: 'invalid-answer',
      message: `GET /meta: ${problem}`,
    });
  });

  test('a response is read up to its limit', async () => {
    const { client } = clientOf([json({ version: 3, agents: [], padding: 'x'.repeat(100) })], {
      limits: { maxAnswerBytes: 100 },
    });
    await expect(client.getMeta()).rejects.toMatchObject({ code: 'too-large' });
  });

  test('an unreachable server is an error with its cause', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = clientOf([() => Promise.reject(cause)]);
    await expect(client.getMeta()).rejects.toMatchObject({ code: 'unreachable', cause });
  });

  test('an aborted call rejects with the reason of its signal', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const { client } = clientOf([
      (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => reject(new Error('aborted')));
          controller.abort(reason);
        }),
    ]);
    await expect(client.getMeta({ signal: controller.signal })).rejects.toBe(reason);
  });

  test('all sessions are listed, page by page', async () => {
    const { client, seen } = clientOf([
      json({ sessions: [session], next: 'p2' }),
      json({ sessions: [{ ...session, sessionId: 's2', status: 'dreaming' }] }),
    ]);
    const ids: string[] = [];
    for await (const { sessionId } of client.listSessions({ agent: 'echo' })) ids.push(sessionId);
    expect(ids).toEqual(['s1', 's2']);
    expect(seen[1]?.url).toBe('https://aap.example/base/sessions?agent=echo&after=p2');
  });

  test('a cycle of pages ends the list', async () => {
    const pages = [json({ sessions: [session], next: 'p' }), json({ sessions: [], next: 'q' })];
    const { client, seen } = clientOf([...pages, ...pages, ...pages]);
    const ids: string[] = [];
    for await (const { sessionId } of client.listSessions()) ids.push(sessionId);
    expect(ids).toEqual(['s1', 's1']);
    expect(seen).toHaveLength(3);
  });
});

describe('streamed turns', () => {
  test('row 95: an error response to a streamed turn is thrown', async () => {
    const { client } = clientOf([json({ error: 'no such session' }, { status: 404 })]);
    await expect(client.streamTurn('s1', { ...hello, stream: 'delta' })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('a response that is not a stream is rejected', async () => {
    const { client } = clientOf([json({ stopReason: 'end_turn', messages: [] })]);
    await expect(client.streamTurn('s1', { ...hello, stream: 'delta' })).rejects.toBeInstanceOf(
      AapClientError,
    );
  });

  test('row 87, 93: events have their names, unknown events are passed on, comments are skipped', async () => {
    const { client, seen } = clientOf([
      events([
        event('turn_start', { turnId: 't1' }),
        ': ping\n\n',
        'event: plan\r\ndata: {"entries":[]}\r\n\r\nevent: odd\ndata: not json\n\n',
        'data: {"event":"text_delta","delta":"a"}\n\n',
        event('turn_stop', { stopReason: 'paused', error: null }),
        event('turn_stop', { stopReason: 'end_turn' }),
      ]),
    ]);
    const stream = await client.streamTurn('s1', { ...hello, stream: 'delta' });
    expect(await readAll(stream)).toEqual([
      { event: 'turn_start', turnId: 't1' },
      { event: 'unknown', raw: { event: 'plan', entries: [] } },
      { event: 'unknown', raw: { event: 'odd', data: 'not json' } },
      { event: 'text_delta', delta: 'a' },
      { event: 'turn_stop', stopReason: 'paused' },
    ]);
    expect(stream.turnId).toBe('t1');
    expect(seen[0]).toMatchObject({ headers: { accept: 'text/event-stream' }, body: { stream: 'delta' } });
  });

  test('an invalid event ends the stream with an error', async () => {
    const { client } = clientOf([events([event('turn_start'), event('text_delta', { text: 'a' })])]);
    const stream = await client.streamTurn('s1', { ...hello, stream: 'delta' });
    await expect(readAll(stream)).rejects.toMatchObject({
      code: 'invalid-answer',
      message: 'POST /sessions/s1/turns: text_delta: delta: expected a string',
    });
  });

  test('row 20: leaving the loop cancels the body', async () => {
    let isCancelled = false;
    const onCancel = (): void => void (isCancelled = true);
    const { client } = clientOf([
      events([event('turn_start'), event('text_delta', { delta: 'a' })], { onCancel }),
    ]);
    for await (const _ of await client.streamTurn('s1', { ...hello, stream: 'delta' })) break;
    expect(isCancelled).toBe(true);
  });

  test('a stream that is closed ends the loop that reads it', async () => {
    const { client } = clientOf([
      () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
    ]);
    const stream = await client.streamTurn('s1', { ...hello, stream: 'delta' });
    const all = readAll(stream);
    await stream.close();
    expect(await all).toEqual([]);
  });

  test('row 94: a stream without a stop is interrupted, with the received events', async () => {
    const { client } = clientOf([events([event('turn_start'), event('text_delta', { delta: 'Hel' })])]);
    const stream = await client.streamTurn('s1', { ...hello, stream: 'delta' });
    await expect(readAll(stream)).rejects.toMatchObject({
      name: 'StreamInterrupted',
      messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Hel' }] }],
    });
  });

  test('a broken stream is resumed after the last event', async () => {
    const { client, seen, waits } = clientOf([
      events([event('turn_start', {}, '1'), event('text_delta', { delta: 'a' }, '2')], {
        headers: { 'aap-turn-id': 't1' },
        isBroken: true,
      }),
      () => Promise.reject(new TypeError('fetch failed')),
      json({ error: 'starting' }, { status: 503 }),
      events([event('text_delta', { delta: 'b' }, '3'), 'id: 4\nevent: turn_stop\ndata: {"stopReason"']),
      events([event('turn_stop', { stopReason: 'end_turn' }, '4')]),
    ]);
    const stream = await client.streamTurn('s1', { ...hello, stream: 'delta' });
    expect((await readAll(stream)).map((each) => each.event)).toEqual([
      'turn_start',
      'text_delta',
      'text_delta',
      'turn_stop',
    ]);
    expect(
      seen.slice(1).map(({ url, headers }) => [new URL(url).pathname, headers['last-event-id']]),
    ).toEqual([
      ['/base/sessions/s1/turns/t1/events', '2'],
      ['/base/sessions/s1/turns/t1/events', '2'],
      ['/base/sessions/s1/turns/t1/events', '2'],
      ['/base/sessions/s1/turns/t1/events', '3'],
    ]);
    expect(waits).toEqual([250, 500]);
  });

  test('resuming a stream fails if the server does not know the turn, or sends nothing new', async () => {
    const broken = events([event('turn_start', { turnId: 't1' }, '1')]);
    const gone = clientOf([broken, json({ error: 'gone' }, { status: 404 })]);
    const stream = await gone.client.streamTurn('s1', { ...hello, stream: 'message' });
    await expect(readAll(stream)).rejects.toMatchObject({
      name: 'StreamInterrupted',
      turnId: 't1',
      lastEventId: '1',
      cause: { status: 404 },
    });
    const silent = clientOf([broken, ...Array.from({ length: 20 }, () => events([]))]);
    const other = await silent.client.streamTurn('s1', { ...hello, stream: 'message' });
    await expect(readAll(other)).rejects.toMatchObject({ name: 'StreamInterrupted' });
    expect(silent.seen).toHaveLength(7);
  });

  test('without ids a broken stream is not resumed, and nothing is read twice', async () => {
    const { client, seen } = clientOf([events([event('turn_start', { turnId: 't1' })])]);
    const stream = await client.streamTurn('s1', { ...hello, stream: 'delta' });
    await expect(readAll(stream)).rejects.toMatchObject({ name: 'StreamInterrupted', turnId: 't1' });
    expect(seen).toHaveLength(1);
  });

  test('a turn can be followed from a given event', async () => {
    const { client, seen } = clientOf([events([event('turn_stop', { stopReason: 'end_turn' }, '9')])]);
    const stream = await client.followTurn('s1', 't1', { lastEventId: '8', stream: 'message' });
    expect(await readAll(stream)).toEqual([{ event: 'turn_stop', stopReason: 'end_turn' }]);
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: 'https://aap.example/base/sessions/s1/turns/t1/events?stream=message',
      headers: { 'last-event-id': '8' },
    });
    expect(stream.lastEventId).toBe('9');
  });
});

test('for any output of a server, a stream ends in one of the documented ways', async () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const name = fc.constantFrom(
    'turn_start',
    'text_delta',
    'tool_call',
    'tool_result',
    'turn_stop',
    'plan',
    '',
  );
  const data = fc.oneof(
    value.map((each) => JSON.stringify(each)),
    fc
      .record({ delta: fc.string(), stopReason: fc.string(), turnId: fc.string(), toolCallId: value })
      .map((each) => JSON.stringify(each)),
    fc.string(),
  );
  const frame = fc.tuple(name, data, fc.option(fc.nat())).map(([event_, text, id]) => {
    const line = text.replaceAll(/[\r\n]/g, ' ');
    return `${id === null ? '' : `id: ${id}\n`}event: ${event_}\ndata: ${line}\n\n`;
  });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 8 }), async (frames) => {
      const { client } = clientOf(Array.from({ length: 9 }, () => events(frames)));
      const stream = await client.streamTurn('s1', { ...hello, stream: 'delta' });
      try {
        for await (const each of stream) if (each.event === 'turn_stop') break;
      } catch (error) {
        expect(['AapClientError', 'StreamInterrupted']).toContain((error as Error).name);
      }
    }),
    { numRuns: 200 },
  );
});

async function readAll<Event>(stream: AsyncIterable<Event>): Promise<readonly Event[]> {
  const all: Event[] = [];
  for await (const each of stream) all.push(each);
  return all;
}
