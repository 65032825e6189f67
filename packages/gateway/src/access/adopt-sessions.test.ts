import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAapServer, type Access, type ServedAgent, type AapSessionStore } from '@parley/aap/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAapStore } from '../store/open-aap-store.ts';
import { adoptSessions } from './adopt-sessions.ts';
import { toTokenRecord, type TokenRecord } from './token.ts';

const echo: ServedAgent = {
  info: { name: 'echo', version: '1.0.0', capabilities: { stream: { delta: {} } } },
  run: () => Promise.resolve({ stopReason: 'end_turn' }),
};

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-adopt-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs with the store as it is on the disk. */
async function withStore<T>(run: (store: AapSessionStore) => Promise<T>): Promise<T> {
  const store = await openAapStore(folder);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

async function create(store: AapSessionStore, access: Access): Promise<string> {
  const request = new Request('http://localhost/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent: { name: 'echo' } }),
  });
  const answer = await createAapServer([echo], { store }).handle(request, { access });
  return ((await answer.json()) as { readonly sessionId: string }).sessionId;
}

async function statusOf(store: AapSessionStore, access: Access, sessionId: string): Promise<number> {
  const request = new Request(`http://localhost/sessions/${sessionId}`);
  return (await createAapServer([echo], { store }).handle(request, { access })).status;
}

const token = (name: string, secret = name): TokenRecord => toTokenRecord(secret, { name, scope: 'use' });
const admin: Access = { seesAll: true };

test('a session owned by a token name is owned by the id of that token, also after a restart', async () => {
  const ann = token('ann');
  const sessionId = await withStore((store) => create(store, { tenant: 'ann' }));

  expect(await withStore((store) => adoptSessions(store, [ann, token('bob')]))).toBe(1);

  await withStore(async (store) => {
    expect(await statusOf(store, { tenant: ann.id }, sessionId)).toBe(200);
    expect(await statusOf(store, { tenant: 'ann' }, sessionId)).toBe(404);
    expect(await statusOf(store, { tenant: token('bob').id }, sessionId)).toBe(404);
    expect(await adoptSessions(store, [ann])).toBe(0);
  });
});

test('a session of a revoked token belongs to admin, not to a later token of the same name', async () => {
  const sessionId = await withStore((store) => create(store, { tenant: 'ann' }));
  const later = token('ann', 'another');

  await withStore((store) => adoptSessions(store, [token('bob')]));
  await withStore((store) => adoptSessions(store, [later]));

  await withStore(async (store) => {
    expect(await statusOf(store, { tenant: later.id }, sessionId)).toBe(404);
    expect(await statusOf(store, admin, sessionId)).toBe(200);
  });
});

test('a session whose name two tokens share belongs to neither', async () => {
  const tokens = [token('ann', 'one'), token('ann', 'two')];
  const sessionId = await withStore((store) => create(store, { tenant: 'ann' }));

  await withStore((store) => adoptSessions(store, tokens));

  await withStore(async (store) => {
    for (const { id } of tokens) expect(await statusOf(store, { tenant: id }, sessionId)).toBe(404);
    expect(await statusOf(store, admin, sessionId)).toBe(200);
  });
});

test('sessions without an owner, or owned by an id, are unchanged', async () => {
  const { id } = token('ann');
  await withStore(async (store) => {
    const none = await create(store, admin);
    const own = await create(store, { tenant: id });

    expect(await adoptSessions(store, [token('bob')])).toBe(0);

    expect(await statusOf(store, { tenant: id }, own)).toBe(200);
    expect(await statusOf(store, { tenant: id }, none)).toBe(404);
  });
});
