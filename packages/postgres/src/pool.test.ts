import { setImmediate as nextTurn } from 'node:timers/promises';
import { findPostgres, type TestPostgres } from '@parley/conformance';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { runSql, startTestPostgres } from './database.fixture.ts';

describe.skipIf('missing' in findPostgres())('connections that are lost', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test.each(['sql', 'signs'] as const)(
    'with a statement in the send buffer are replaced, and the next statement is answered: %s',
    async (name) => {
      const connections = connect(await server.createDatabase(), process.env);
      const { [name]: sql } = connections;
      await sql`select 1`;
      const lost = Promise.allSettled([sql`select 2`]);
      // The driver has the statement, and sends it in the next turn of the event loop.
      await microtasks();
      connections.breakAll();
      expect(await lost).toMatchObject([{ status: 'rejected', reason: { code: 'CONNECTION_CLOSED' } }]);

      expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
      await connections.end();
      await expect(sql`select 4`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' });
    },
  );

  test('what is on its way over the other connections is answered', async () => {
    const url = await server.createDatabase();
    const connections = connect(url, process.env);
    const slow = waits(connections.sql);
    const other = waits(connections.sql);
    const pids = async (): Promise<readonly object[]> =>
      runSql(url, `select pid from pg_stat_activity where query like 'select pg_sleep%' order by pid`);
    await expect.poll(async () => (await pids()).length).toBe(2);
    const [first] = await pids();
    await runSql(url, `select pg_terminate_backend(${String(Object.values(first ?? {})[0])})`);
    await expect.poll(async () => (await pids()).length).toBe(1);

    expect(await connections.sql`select 3 as three`).toEqual([{ three: 3 }]);
    const outcomes = await Promise.all([slow, other]);
    expect(outcomes.filter((outcome) => outcome === 'slept')).toHaveLength(1);
    await connections.end();
  });

  test('notifications arrive over the next connection, once, until there is no listener', async () => {
    const connections = connect(await server.createDatabase(), process.env);
    const { sql } = connections;
    const received: string[] = [];
    let times = 0;
    const { unlisten } = await sql.listen(
      'greetings',
      (text) => void received.push(text),
      () => (times += 1),
    );
    await sql.notify('greetings', 'one');
    await expect.poll(() => received).toEqual(['one']);
    for (const [index, text] of ['two', 'three'].entries()) {
      connections.breakAll();
      await nextTurn();
      await expect.poll(() => times).toBe(index + 2);
      await sql.notify('greetings', text);
      await expect.poll(() => received.at(-1)).toBe(text);
    }
    await unlisten();
    await sql.notify('greetings', 'four');
    connections.breakAll();
    await sql.notify('greetings', 'five');
    await connections.end();

    expect(received).toEqual(['one', 'two', 'three']);
  });
});

async function waits(sql: Sql): Promise<string> {
  try {
    await sql`select pg_sleep(1)`;
    return 'slept';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

async function microtasks(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await Promise.resolve();
}
