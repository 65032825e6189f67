import { changeOwners, memoryStore, type AapSessionStore } from '@parley/aap/server';
import { expect, test } from 'vitest';
import { json, stage } from './stage.ts';

const authorize = ({ headers }: Request): { readonly tenant?: string; readonly seesAll?: boolean } => {
  const tenant = headers.get('x-tenant');
  return tenant === null ? { seesAll: true } : { tenant };
};

test("another user's session is treated as unknown, without reading it", async () => {
  const memory = memoryStore();
  const read: string[] = [];
  const store: AapSessionStore = {
    ...memory,
    read: (sessionId, take) => {
      read.push(sessionId);
      return memory.read(sessionId, take);
    },
  };
  const body = { agent: { name: 'tester' } };
  const created = await json(
    await stage(async () => undefined, { store, authorize }).send('POST', '/sessions', body, {
      'x-tenant': 'a',
    }),
  );
  // After a restart, nothing is in memory.
  const { send } = stage(async () => undefined, { store, authorize });
  const answers = [];
  for (const sessionId of [String(created['sessionId']), 'AAAAAAAAAAAAAAAAAAAAAA']) {
    const { requestId: _, ...answer } = await json(
      await send('GET', `/sessions/${sessionId}`, undefined, { 'x-tenant': 'b' }),
    );
    answers.push(answer);
  }

  expect(answers[0]).toEqual(answers[1]);
  expect(read).toEqual([]);
});

test('a session transferred to another user is listed and found only by that user', async () => {
  const store = memoryStore();
  const { send } = stage(async () => undefined, { store, authorize });
  const body = { agent: { name: 'tester' } };
  const { sessionId } = await json(await send('POST', '/sessions', body, { 'x-tenant': 'a' }));

  expect(await changeOwners(store, { ownerOf: (tenant) => (tenant === 'a' ? 'b' : tenant) })).toBe(1);

  const after = stage(async () => undefined, { store, authorize });
  const statusFor = async (tenant: string): Promise<number> =>
    (await after.send('GET', `/sessions/${String(sessionId)}`, undefined, { 'x-tenant': tenant })).status;
  expect([await statusFor('a'), await statusFor('b')]).toEqual([404, 200]);
  expect(await json(await after.send('GET', '/sessions', undefined, { 'x-tenant': 'a' }))).toEqual({
    sessions: [],
  });
  expect(await json(await after.send('GET', '/sessions', undefined, { 'x-tenant': 'b' }))).toMatchObject({
    sessions: [{ sessionId }],
  });
});
