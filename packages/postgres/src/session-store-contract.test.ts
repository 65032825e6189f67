import {
  sessionStoreContract,
  findPostgres,
  type SessionStorage,
  type TestPostgres,
} from '@parley/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSql, startTestPostgres } from './database.fixture.ts';
import { postgresStore, type PostgresStore } from './postgres-store.ts';

const found = findPostgres();
if ('missing' in found) process.stderr.write(`${found.missing}: the tests of its store are SKIPPED.\n`);

describe.skipIf('missing' in found)('sessions in PostgreSQL', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test.each(
    sessionStoreContract
      .filter(({ needsDisk }) => needsDisk !== true)
      .map((each) => [each.id, each.title, each] as const),
  )('%s: %s', async (_id, _title, { check }) => {
    const url = await server.createDatabase();
    const stores: PostgresStore[] = [];
    const place: SessionStorage = {
      open: () => {
        const store = postgresStore({ url, folder: '/nowhere' });
        stores.push(store);
        return store;
      },
      loseLease: async (key) => {
        await runSql(url, `update parley.sessions set owner = null where key = '${key}'`);
      },
      tear: async (key) => {
        await runSql(
          url,
          `with torn as (
               delete from parley.records where key = '${key}' and seq = (select max(seq) from parley.records where key = '${key}') returning seq
             ) update parley.sessions set last_seq = (select seq - 1 from torn) where key = '${key}'`,
        );
      },
    };
    try {
      await check(place);
      expect(stores).not.toEqual([]);
    } finally {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
    }
  });
});
