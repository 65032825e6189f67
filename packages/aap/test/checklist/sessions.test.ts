import { createAapClient } from '@parley/aap';
import { memoryStore } from '@parley/aap/server';
import { expect, test } from 'vitest';
import { eventsOf, everything, inShort, json, lookUp, readUntil, says, stage } from '../stage.ts';

const idle = async (): Promise<void> => undefined;

test('row 21: creating a session runs nothing', async () => {
  let runs = 0;
  const { create, history } = stage(async () => {
    runs += 1;
  });
  const sessionId = await create({ messages: [{ role: 'user', content: 'before' }] });
  expect(await history(sessionId)).toEqual([{ role: 'user', content: 'before' }]);
  expect(runs).toBe(0);
});

test('row 22: 201, with the id and URL of the session', async () => {
  const { send } = stage(idle);
  const response = await send('POST', '/sessions', { agent: { name: 'tester' } });
  expect(response.status).toBe(201);
  const { sessionId } = await json(response);
  expect(response.headers.get('location')).toBe(`/sessions/${String(sessionId)}`);
});

test.each([
  ['row 23: without agent', {}, 'invalid_request'],
  ['row 23: without name', { agent: {} }, 'invalid_request'],
  ['row 24: an unknown agent', { agent: { name: 'nobody' } }, 'unknown_agent'],
  ['row 26: an unknown tool', { agent: { name: 'tester', tools: [{ name: 'fly' }] } }, 'unknown_tool'],
  ['row 28: an unknown option', { agent: { name: 'tester', options: { speed: '9' } } }, 'unknown_option'],
  [
    'row 28: a value outside of the list',
    { agent: { name: 'tester', options: { model: 'huge' } } },
    'invalid_option',
  ],
  ['row 28: a value that is no text', { agent: { name: 'tester', options: { tone: 7 } } }, 'invalid_request'],
  ['row 28: null', { agent: { name: 'tester', options: { tone: null } } }, 'invalid_request'],
  [
    'row 29: a permission among the messages',
    { agent: { name: 'tester' }, messages: [{ role: 'tool_permission', toolCallId: 'x', granted: true }] },
    'invalid_request',
  ],
  [
    'row 29: a system message of blocks',
    { agent: { name: 'tester' }, messages: [{ role: 'system', content: [] }] },
    'invalid_request',
  ],
  ['row 32: a tool twice', { agent: { name: 'tester' }, tools: [lookUp, lookUp] }, 'duplicate_tool'],
  [
    "row 32: a tool of the agent's name",
    { agent: { name: 'tester', tools: [{ name: 'read' }] }, tools: [{ ...lookUp, name: 'read' }] },
    'duplicate_tool',
  ],
  [
    'row 33: parameters that are no schema',
    { agent: { name: 'tester' }, tools: [{ ...lookUp, parameters: { type: 'text' } }] },
    'invalid_tool_schema',
  ],
  [
    'row 66: what replaces a secret',
    { agent: { name: 'tester', options: { apiKey: '***' } } },
    'invalid_option',
  ],
])('%s is 400', async (_, body, code) => {
  const { send } = stage(idle);
  const response = await send('POST', '/sessions', body);
  expect(response.status).toBe(400);
  expect(await json(response)).toMatchObject({ code });
});

const long = 'n'.repeat(1_000_000);

test.each([
  ['agent', { agent: { name: long } }],
  ['tool', { agent: { name: 'tester', tools: [{ name: long }] } }],
  ['option', { agent: { name: 'tester', options: { [long]: '9' } } }],
])('the refusal of a long %s name repeats only its beginning', async (_, body) => {
  const { send } = stage(idle);
  const response = await send('POST', '/sessions', body);
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text).toContain('nnnn…');
  expect(text.length).toBeLessThan(1200);
});

test('row 25: without agent.tools every tool of the agent is disabled', async () => {
  const { create, turn } = stage(async (run) => {
    await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
  });
  const sessionId = await create({ agent: { name: 'tester' } });
  expect(inShort(await turn(sessionId, says('go')))).toEqual([
    'turn_start',
    'tool_call c1',
    'tool_result c1="Tool call denied: the tool is not enabled"',
    'turn_stop end_turn',
  ]);
});

test('row 27: a run has the defaults, the session only the sent values', async () => {
  let seen: unknown;
  const { create, send } = stage(async (run) => {
    seen = run.options;
  });
  const sessionId = await create({ agent: { name: 'tester', options: { model: 'large' } } });
  await send('POST', `/sessions/${sessionId}/turns`, says('go'));
  expect(seen).toEqual({ tone: 'plain', model: 'large', apiKey: '' });
  const { agent } = await json(await send('GET', `/sessions/${sessionId}`));
  expect(agent).toEqual({ name: 'tester', options: { model: 'large' } });
});

test('row 29: a session may start with system, user, assistant and tool messages', async () => {
  const { create, history } = stage(idle);
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    { role: 'assistant', content: [{ type: 'tool_use', toolCallId: 'c1', name: 'read', input: {} }] },
    { role: 'tool', toolCallId: 'c1', content: 'text' },
  ];
  expect(await history(await create({ messages }))).toEqual(messages);
});

test('row 30: application tools are rejected if the agent does not support them', async () => {
  const { application: _, ...capabilities } = everything.capabilities ?? {};
  const { send } = stage(idle, { info: { ...everything, capabilities } });
  const response = await send('POST', '/sessions', { agent: { name: 'tester' }, tools: [lookUp] });
  expect(response.status).toBe(400);
  expect(await json(response)).toMatchObject({ code: 'unsupported_tools' });
});

test('row 31: a history may end with calls without results, which the application answers next', async () => {
  const { create, send, turn } = stage(async (run) => {
    await run.text(run.input.role === 'answers' ? run.input.answers.map(({ kind }) => kind).join() : '');
  });
  const calls = ['read', 'look_up'].map((name) => ({
    type: 'tool_use',
    toolCallId: `${name}-1`,
    name,
    input: {},
  }));
  const sessionId = await create({
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: calls },
    ],
  });

  expect(await json(await send('GET', `/sessions/${sessionId}`))).toMatchObject({ status: 'waiting' });
  const messages = [
    { role: 'tool_permission', toolCallId: 'read-1', granted: false },
    { role: 'tool', toolCallId: 'look_up-1', content: 'x' },
  ];
  expect(inShort(await turn(sessionId, { messages }))).toEqual([
    'turn_start',
    'tool_result read-1="Tool call denied"',
    'text_delta denied,result',
    'turn_stop end_turn',
  ]);
});

test('row 34: a session is returned with its settings and tools, without history', async () => {
  const { create, send } = stage(idle);
  const sessionId = await create();
  expect(await json(await send('GET', `/sessions/${sessionId}`))).toEqual({
    sessionId,
    agent: { name: 'tester', tools: [{ name: 'read' }, { name: 'edit' }] },
    tools: [lookUp],
    title: null,
    status: 'idle',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const bare = await create({ tools: undefined });
  expect(await json(await send('GET', `/sessions/${bare}`))).not.toHaveProperty('tools');
});

test('a list has a title for each session, null while there is none; our client reads that as absent', async () => {
  const { server, create, send, turn } = stage(async (run) => {
    await run.updateSession({ title: 'Greetings' });
  });
  await create();
  await turn(await create(), says('hi'));
  const { sessions } = await json(await send('GET', '/sessions'));
  const titles = (sessions as readonly object[]).map((session) =>
    'title' in session ? session.title : 'absent',
  );
  expect(new Set(titles)).toEqual(new Set(['Greetings', null]));
  const client = createAapClient({
    baseUrl: 'http://localhost',
    fetch: (input, init) => server.handle(new Request(input, init)),
  });
  const read = (await client.getSessions()).sessions.map((session) => 'title' in session);
  expect(new Set(read)).toEqual(new Set([false, true]));
});

test('row 35: an unknown session is 404 everywhere', async () => {
  const { send } = stage(idle);
  const path = '/sessions/AAAAAAAAAAAAAAAAAAAAAA';
  for (const [method, rest, body] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/history?type=full'],
    ['POST', '/turns', says('hi')],
    ['GET', '/turns'],
    ['GET', '/turns/x/events'],
    ['POST', '/turns/x/cancel', {}],
  ] as const) {
    expect((await send(method, path + rest, body)).status).toBe(404);
  }
});

test('row 36: a deleted session is removed with its history, and the agent is notified', async () => {
  const { create, send } = stage(idle);
  const sessionId = await create();
  const response = await send('DELETE', `/sessions/${sessionId}`);
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
  expect((await send('GET', `/sessions/${sessionId}`)).status).toBe(404);
  expect((await send('GET', `/sessions/${sessionId}/history?type=full`)).status).toBe(404);
  expect(await json(await send('GET', '/sessions'))).toEqual({ sessions: [] });
});

test('row 37: deleting a session ends its turn', async () => {
  const { create, send } = stage(async (run) => {
    await run.text('working');
    await new Promise((resolve) => {
      run.signal.addEventListener('abort', resolve);
    });
  });
  const sessionId = await create();
  const response = await send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' });
  const deleted = await send('DELETE', `/sessions/${sessionId}`);
  expect(deleted.status).toBe(204);
  expect((await eventsOf(response)).at(-1)?.data).toMatchObject({ stopReason: 'error', detail: 'deleted' });
});

test('row 38: a list has the same fields of a session as the session itself', async () => {
  const { create, send } = stage(idle);
  const sessionId = await create();
  const { sessions } = await json(await send('GET', '/sessions'));
  expect(sessions).toEqual([await json(await send('GET', `/sessions/${sessionId}`))]);
});

test('row 39: pages continue where the last one ended, and an unknown cursor is 400', async () => {
  const { create, send } = stage(idle);
  const ids = await Promise.all(Array.from({ length: 7 }, () => create()));
  const seen: string[] = [];
  let query = '?limit=3';
  for (let page = 0; page < 3; page += 1) {
    const answer = await json(await send('GET', `/sessions${query}`));
    seen.push(...(answer['sessions'] as { sessionId: string }[]).map(({ sessionId }) => sessionId));
    expect('next' in answer).toBe(page < 2);
    query = `?limit=3&after=${String(answer['next'])}`;
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
  for (const after of ['', 'x', 'eyJ9', '%00', '~~~']) {
    const response = await send('GET', `/sessions?after=${after}`);
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ code: 'invalid_cursor' });
  }
});

test('row 40: lists are sorted newest first, stable under changes, and filtered by agent and status', async () => {
  let now = 0;
  const { create, send } = stage(idle, { today: () => new Date(Date.UTC(2026, 0, 1) + now++) });
  const first = await create();
  const second = await create();
  const third = await create();
  const list = async (query: string): Promise<unknown[]> => {
    const { sessions } = await json(await send('GET', `/sessions${query}`));
    return (sessions as { sessionId: string }[]).map(({ sessionId }) => sessionId);
  };
  expect(await list('')).toEqual([third, second, first]);
  const { next } = await json(await send('GET', '/sessions?limit=1'));
  await create();
  await send('POST', `/sessions/${first}/turns`, says('hi'));
  await send('DELETE', `/sessions/${third}`);
  expect(await list(`?after=${String(next)}`)).toEqual([second, first]);
  expect(await list('?agent=unknown')).toEqual([]);
  expect(await list('?status=running')).toEqual([]);
  expect((await list('?status=idle&agent=tester')).length).toBe(3);
  for (const query of ['limit=0', 'limit=x', 'limit=-1', 'status=asleep']) {
    expect((await send('GET', `/sessions?${query}`)).status).toBe(400);
  }
});

test('row 44: sessions are restored when a server starts with the same store', async () => {
  const store = memoryStore();
  const before = stage(async (run) => run.text('hello'), { store });
  const sessionId = await before.create();
  await before.turn(sessionId, says('hi'));
  const after = stage(idle, { store });
  expect(await after.history(sessionId)).toEqual(await before.history(sessionId));
  expect(await json(await after.send('GET', '/sessions'))).toEqual(
    await json(await before.send('GET', '/sessions')),
  );
});

test('after a restart, the list shows no turn as running that no agent runs', async () => {
  const store = memoryStore();
  const before = stage(
    async (run) => {
      await run.text('part');
      await new Promise(() => undefined);
    },
    { store },
  );
  const sessionId = await before.create();
  await readUntil(
    await before.send('POST', `/sessions/${sessionId}/turns`, { ...says('go'), stream: 'delta' }),
    'part',
  );
  expect(await json(await before.send('GET', '/sessions?status=running'))).toMatchObject({
    sessions: [{ sessionId }],
  });
  const after = stage(idle, { store });
  expect(await json(await after.send('GET', '/sessions'))).toMatchObject({
    sessions: [{ sessionId, status: 'idle' }],
  });
});
