import { findPostgres, sessionStoreContract, type TestPostgres } from '@parley/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSql, startTestPostgres } from './database.fixture.ts';
import { pgbouncer, startPgbouncer } from './pgbouncer.fixture.ts';
import { postgresStore, type PostgresStore } from './postgres-store.ts';

const isMissing = 'missing' in findPostgres() || pgbouncer === undefined;
if (pgbouncer === undefined) {
  process.stderr.write(
    'No PgBouncer: the tests of the store behind it are SKIPPED; Debian has it as `pgbouncer`.\n',
  );
}

/** What needs notifications, leases and several connections at once. */
const checked = sessionStoreContract.filter(
  ({ id, needsDisk }) => needsDisk !== true && /-00[1-9]$/u.test(id),
);

describe.skipIf(isMissing)('sessions in PostgreSQL behind PgBouncer', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test.each(checked.map((each) => [each.id, each.title, each] as const))(
    'in session mode, %s: %s',
    async (_id, _title, { check }) => {
      const url = await server.createDatabase();
      await using pooler = await startPgbouncer(url, 'session');
      const stores: PostgresStore[] = [];
      try {
        await check({
          open: () => {
            const store = postgresStore({ url: pooler.url, folder: '/nowhere' });
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
        });
        expect(stores).not.toEqual([]);
      } finally {
        await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
      }
    },
  );

  test('in transaction mode, it says that notifications do not arrive', async () => {
    await using pooler = await startPgbouncer(await server.createDatabase(), 'transaction');
    await using store = postgresStore({ url: pooler.url, folder: '/nowhere' });
    await expect(store.ready()).rejects.toThrow(/PgBouncer in transaction mode cannot LISTEN/u);
  });
});
