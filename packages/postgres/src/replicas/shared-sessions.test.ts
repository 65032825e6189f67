import { findPostgres, type TestPostgres } from '@parley/conformance';
import type { ReplicaMember, SharedSession } from '@parley/host';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPostgres } from '../database.fixture.ts';
import { postgresStore } from '../postgres-store.ts';

const member: ReplicaMember = {
  workspaces: [],
  slots: 1,
  taken: () => 0,
  perform: () => Promise.resolve({ result: {} }),
  isWanted: () => undefined,
  isLost: () => undefined,
  onChange: () => undefined,
  onFault: (error) => {
    throw error;
  },
};

function shown(key: string): SharedSession {
  const session = {
    key,
    cwd: '/',
    createdAt: 1,
    updatedAt: 1,
    agent: 'a',
    state: 'idle',
    questions: 0,
    queue: [],
  };
  return { session: session as SharedSession['session'], questions: [] };
}

describe.skipIf('missing' in findPostgres())('sessions that a replica shows', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('only sessions that were shown are stored and removed: thousands of others cause no statement', async () => {
    const url = await server.createDatabase();
    await using store = postgresStore({ url, folder: '/nowhere' });
    await store.replicas.join(member);
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      const wakeUps: string[] = [];
      await sql.listen('parley_replicas', (payload) => wakeUps.push(payload));
      for (let index = 0; index < 1000; index += 1) store.replicas.share(`idle-${String(index)}`, undefined);
      store.replicas.share('one', shown('one'));
      await expect.poll(() => wakeUps).toContain('shared one');
      store.replicas.share('one', undefined);
      await expect.poll(() => sql`select key from parley.shared`).toEqual([]);
      await expect
        .poll(() => wakeUps.filter((text) => text.startsWith('shared')))
        .toEqual(['shared one', 'shared one']);
    } finally {
      await sql.end();
    }
  });
});
