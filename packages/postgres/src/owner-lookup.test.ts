import { findPostgres, startPostgres } from '@parley/conformance';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { runSql } from './database.fixture.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { postgresStore } from './postgres-store.ts';

test.skipIf('missing' in findPostgres())(
  'owners that are asked for at the same time are read with two statements, and a failure rejects all',
  async () => {
    await using server = await startPostgres(runSql);
    const url = await server.createDatabase();
    await using store = postgresStore({ url, replica: 'one', folder: '/nowhere' });
    const start = { agent: 'scripted', cwd: '/work', program: 'test' };
    const log = await store.open('key-7', { start, onFailure: () => undefined });
    const statements: string[] = [];
    const sql = postgres(url, {
      max: 1,
      onnotice: () => undefined,
      debug: (_connection, query) => {
        if (query.includes('alive_until')) statements.push(query);
      },
    });
    const lookup = new OwnerLookup(sql, () => false);
    const ask = (): Promise<unknown[]> =>
      Promise.all(Array.from({ length: 100 }, (_, index) => lookup.of(`key-${String(index)}`)));
    const owners = await ask();

    expect(owners[7]).toEqual({ name: 'one', isThis: false });
    expect(owners.filter((owner) => owner !== undefined)).toHaveLength(1);
    expect(statements).toHaveLength(2);
    await log.close();
    expect(await lookup.of('key-7')).toBeUndefined();
    await sql.end();
    await expect(ask()).rejects.toThrow(/CONNECTION_ENDED/u);
  },
);
