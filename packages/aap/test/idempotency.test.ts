import { memoryStore } from '@parley/aap/server';
import { expect, test } from 'vitest';
import { eventsOf, inShort, json, says, stage } from './stage.ts';

const key = { 'idempotency-key': 'k-1' };

test('a session that is created again with its key is the same one, also after a restart', async () => {
  const store = memoryStore();
  const { send } = stage(async () => undefined, { store });
  const body = { agent: { name: 'tester' } };
  const answers = await Promise.all(
    Array.from({ length: 4 }, async () => json(await send('POST', '/sessions', body, key))),
  );
  const again = await json(
    await stage(async () => undefined, { store }).send('POST', '/sessions', body, key),
  );
  const other = await send('POST', '/sessions', { ...body, messages: [] }, key);

  expect(new Set([...answers, again].map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(other.status).toBe(422);
  expect(await json(other)).toMatchObject({ code: 'idempotency_key_reused' });
});

test('servers that share a store create one session for a key', async () => {
  const store = { ...memoryStore(), createAlone: (create: () => Promise<string>) => create() };
  const [one, other] = [stage(async () => undefined, { store }), stage(async () => undefined, { store })];
  const body = { agent: { name: 'tester' } };
  await other.send('POST', '/sessions', body, { 'idempotency-key': 'earlier' });
  const created = await json(await one.send('POST', '/sessions', body, key));

  expect(await json(await other.send('POST', '/sessions', body, key))).toEqual(created);
  const different = await other.send('POST', '/sessions', { ...body, messages: [] }, key);
  expect(different.status).toBe(422);
});

test('an idempotency key belongs to the user who sent it, and a rejected request does not consume it', async () => {
  const { send } = stage(async () => undefined, {
    authorize: ({ headers }) => ({ tenant: headers.get('x-tenant') ?? '' }),
  });
  const body = { agent: { name: 'tester' } };
  expect((await send('POST', '/sessions', { agent: { name: 'nobody' } }, key)).status).toBe(400);
  const a = await json(await send('POST', '/sessions', body, { ...key, 'x-tenant': 'a' }));
  const b = await json(await send('POST', '/sessions', body, { ...key, 'x-tenant': 'b' }));
  expect(a['sessionId']).not.toBe(b['sessionId']);
});

test('a turn started again with its key is replayed, and not run again', async () => {
  const store = memoryStore();
  let runs = 0;
  const run = async (each: { text(delta: string): void | Promise<void> }): Promise<void> => {
    runs += 1;
    await each.text('hello');
  };
  const { create, send } = stage(run, { store });
  const sessionId = await create();
  const path = `/sessions/${sessionId}/turns`;
  const body = { ...says('hi'), stream: 'delta' };
  const first = await send('POST', path, body, key);
  const attached = await send('POST', path, body, key);
  const text = await first.text();
  expect(await attached.text()).toBe(text);
  expect(await (await send('POST', path, body, key)).text()).toBe(text);
  expect(await (await stage(run, { store }).send('POST', path, body, key)).text()).toBe(text);
  expect((await send('POST', path, { ...body, stream: 'message' }, key)).status).toBe(422);

  const none = await json(await send('POST', path, says('hi'), { 'idempotency-key': 'k-2' }));
  expect(await json(await send('POST', path, says('hi'), { 'idempotency-key': 'k-2' }))).toEqual(none);
  expect(runs).toBe(2);
});

test('duplicate concurrent answers with one key continue the run once', async () => {
  const many = Array.from({ length: 20 });
  const { create, turn, send } = stage(async (run) => {
    const { granted } = await run.permission({ toolCallId: 'c1', name: 'read', input: {} });
    await run.toolResult({ toolCallId: 'c1', content: String(granted) });
  });
  const sessionId = await create();
  await turn(sessionId, says('go'));
  const body = { stream: 'delta', messages: [{ role: 'tool_permission', toolCallId: 'c1', granted: true }] };
  const answers = await Promise.all(many.map(() => send('POST', `/sessions/${sessionId}/turns`, body, key)));
  const streams = await Promise.all(answers.map(async (each) => inShort(await eventsOf(each))));
  expect(streams).toEqual(many.map(() => ['turn_start', 'tool_result c1="true"', 'turn_stop end_turn']));
});

test('an empty or too long key is rejected', async () => {
  const { send } = stage(async () => undefined);
  for (const long of ['', 'x'.repeat(256)]) {
    const response = await send(
      'POST',
      '/sessions',
      { agent: { name: 'tester' } },
      { 'idempotency-key': long },
    );
    expect(response.status).toBe(400);
  }
});
