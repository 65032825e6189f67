import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findPostgres, startProxy, type TestPostgres } from '@parley/conformance';
import type { EventLog, LoggedEntry, LoggedEvent } from '@parley/host';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { runSql, startTestPostgres } from './database.fixture.ts';
import { postgresStore, type PostgresStore } from './postgres-store.ts';
import { Notices } from './replicas/notices.ts';
import { inTransaction } from './transaction.ts';
import { channel, WakeUps } from './wake-ups.ts';

const start = { agent: 'scripted', cwd: '/work', program: 'test' };

async function open(store: PostgresStore, troubles: string[] = []): Promise<EventLog> {
  return store.open('one', {
    start,
    onFailure: (error) => troubles.push(error.message),
    onRecovery: () => troubles.push('recovered'),
  });
}

async function events(store: PostgresStore): Promise<readonly LoggedEvent[]> {
  const read: LoggedEvent[] = [];
  await store.read('one', (event) => void read.push(event));
  return read;
}

function chunk(text: string): LoggedEntry {
  return {
    type: 'update',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  };
}

function say(log: EventLog, count: number): void {
  for (let number = 0; number < count; number += 1) {
    log.append(chunk(`line ${String(number)}`));
  }
}

describe.skipIf('missing' in findPostgres())('a database that goes away', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test.skipIf(process.env['PARLEY_TEST_POSTGRES'] !== undefined)(
    'events that are appended while it restarts are stored once and in order, and waiting for them, or for the list of sessions, settles then',
    async () => {
      await using store = postgresStore({ url: await server.createDatabase(), folder: '/nowhere' });
      const troubles: string[] = [];
      const log = await open(store, troubles);
      const list = store.index(() => undefined);
      server.server?.kill('SIGKILL');
      await expect.poll(() => store.unreachable()).toBeDefined();
      say(log, 50);
      const stored = log.stored();
      const looked = list.look();
      await expect.poll(() => troubles.length).toBe(1);
      await server.server?.restart();
      await Promise.all([stored, looked]);

      const seqs = (await events(store)).map(({ seq }) => seq);
      expect(seqs).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
      expect(await store.unreachable()).toBeUndefined();
      expect(troubles.at(-1)).toBe('recovered');
      expect(list.get('one')).toBeDefined();
      await log.close();
    },
  );

  test('who asks for what is on its way waits until it is stored, also where that fails first', async () => {
    await using proxy = await startProxy(await server.createDatabase());
    await using store = postgresStore({ url: proxy.url, folder: '/nowhere' });
    const troubles: string[] = [];
    const log = await open(store, troubles);
    await log.stored();
    proxy.mode = 'silent';
    say(log, 1);
    const sent = log.stored();
    let isStored = false;
    const asked = Promise.resolve(log.stored()).then(() => {
      isStored = true;
    });
    proxy.mode = 'refuse';
    await expect.poll(() => troubles.length).toBe(1);
    await nextTurn();
    expect(isStored).toBe(false);
    proxy.mode = 'pass';
    await Promise.all([sent, asked]);

    expect(await events(store)).toHaveLength(2);
    await log.close();
  });

  test('what is asked while it restarts is answered when it is back', async () => {
    await using proxy = await startProxy(await server.createDatabase());
    await using store = postgresStore({ url: proxy.url, folder: '/nowhere' });
    const log = await open(store);
    await log.stored();
    await log.close();
    const index = store.index(() => undefined);
    proxy.mode = 'refuse';
    await expect.poll(() => store.unreachable()).toBeDefined();
    const asked = Promise.all([
      index.find('one'),
      store.replicas.release('another'),
      store.head('one'),
      store.list(),
      store.replicas.locate('one'),
      store.replicas.reserve('one'),
      store.setColumns('one', { title: 'set meanwhile' }),
      events(store),
    ]);
    // All of them have failed once.
    await expect.poll(() => store.unreachable()).toBeDefined();
    proxy.mode = 'pass';

    const [found, , head, list, location, isReserved, , read] = await asked;
    expect(found).toMatchObject({ key: 'one' });
    expect(head).toMatchObject({ key: 'one' });
    expect(list).toHaveLength(1);
    expect(location).toMatchObject({ isOrphaned: false });
    expect(isReserved).toBe(true);
    expect(read).toHaveLength(1);
    expect(await store.columns('one')).toEqual({ title: 'set meanwhile' });
  });

  test('an agent waits while more is to be stored than should, and goes on when the database is back', async () => {
    await using proxy = await startProxy(await server.createDatabase());
    await using store = postgresStore({ url: proxy.url, folder: '/nowhere' });
    const log = await open(store);
    proxy.mode = 'silent';
    const text = 'x'.repeat(300_000);
    for (let count = 0; count < 5; count += 1) log.append(chunk(text));
    let isReady = false;
    const ready = Promise.resolve(log.ready()).then(() => {
      isReady = true;
    });
    await expect.poll(() => store.unreachable()).toBeDefined();
    expect(isReady).toBe(false);
    proxy.mode = 'pass';
    await ready;

    expect(await events(store)).toHaveLength(6);
    await log.close();
  });

  test('a follower that cannot reach the database goes on when it can again, without a gap', async () => {
    const url = await server.createDatabase();
    await using owner = postgresStore({ url, folder: '/nowhere' });
    const log = await open(owner);
    await log.stored();
    await using proxy = await startProxy(url);
    await using store = postgresStore({ url: proxy.url, folder: '/nowhere' });
    const enough = new AbortController();
    const seqs: number[] = [];
    const follow = async (): Promise<void> => {
      for await (const part of store.follow('one', { signal: enough.signal })) {
        seqs.push(...part.events.map(({ seq }) => seq));
      }
    };
    await store.ready();
    // What it asks is on its way when the connection ends.
    proxy.mode = 'silent';
    const following = follow();
    await expect.poll(() => store.unreachable()).toBeDefined();
    proxy.mode = 'refuse';
    say(log, 2);
    await log.stored();
    proxy.mode = 'pass';
    await expect.poll(() => seqs).toEqual([1, 2, 3]);
    enough.abort();
    await following;
    await log.close();
  });

  test('behind a pooler through which no notification arrives, it says so', async () => {
    await using proxy = await startProxy(await server.createDatabase(), 'deaf');
    await using store = postgresStore({ url: proxy.url, folder: '/nowhere' });
    await expect(store.ready()).rejects.toThrow(/PgBouncer in transaction mode cannot LISTEN/u);
  });

  test('a pooler that refuses unknown startup parameters, as PgBouncer does, accepts all connections of a store', async () => {
    await using proxy = await startProxy(await server.createDatabase(), 'strict');
    await using store = postgresStore({ url: proxy.url, folder: '/nowhere' });
    const log = await open(store);
    await log.stored();
    expect(await events(store)).toHaveLength(1);
    await log.close();
    // The pooler of the test does refuse.
    const refused = new URL(proxy.url);
    refused.searchParams.set('client_min_messages', 'warning');
    await expect(runSql(refused.href, 'select 1')).rejects.toThrow(
      /unsupported startup parameter: client_min_messages/u,
    );
  });

  test('listening that failed can be tried again, and a wake-up then arrives once', async () => {
    await using proxy = await startProxy(await server.createDatabase(), 'refuse');
    const { sql, end } = connect(proxy.url, process.env);
    const notices = new Notices(sql);
    const arrived: string[] = [];
    const note = (key: string): void => void arrived.push(key);
    const nothing = (): void => undefined;
    const handlers = { target: nothing, outcome: nothing, cancel: nothing, replicas: nothing };
    const listen = (): Promise<void> =>
      notices.listen({ ...handlers, command: note, shared: nothing, missed: nothing, onFault: nothing });
    const attempt = (): Promise<string> =>
      listen().then(
        () => 'listening',
        () => 'rejected',
      );
    expect(await attempt()).toBe('rejected');
    proxy.mode = 'pass';

    await expect.poll(attempt).toBe('listening');
    await notices.send('command', 'one');
    await notices.send('command', 'two');

    await expect.poll(() => arrived.at(-1)).toBe('two');
    expect(arrived).toEqual(['one', 'two']);
    await notices.close();
    await end();
  });

  test('waiting for changes that failed can be tried again, and a change then wakes once', async () => {
    await using proxy = await startProxy(await server.createDatabase(), 'refuse');
    const connections = connect(proxy.url, process.env);
    const wakeUps = new WakeUps(connections);
    const woken: string[] = [];
    wakeUps.watchAll((keys) => {
      if (keys !== undefined) woken.push(...keys);
    });
    const attempt = (): Promise<string> =>
      wakeUps.listen().then(
        () => 'listening',
        () => 'rejected',
      );
    expect(await attempt()).toBe('rejected');
    expect(await attempt()).toBe('rejected');
    proxy.mode = 'pass';

    await expect.poll(attempt).toBe('listening');
    await connections.sql.notify(channel, 'one');
    await connections.sql.notify(channel, 'two');

    await expect.poll(() => woken.at(-1)).toBe('two');
    expect(woken).toEqual(['one', 'two']);
    wakeUps.close();
    await connections.end();
  });

  // The driver throws outside of all promises where it is given a statement for a connection that has closed.
  test('a transaction whose connection closes is rejected, wherever it is, and nothing of it is stored', async () => {
    const { sql, breakAll } = connect(await server.createDatabase(), process.env);
    await sql`create table numbers (n int)`;
    const untilClosed = async (checkOpen: () => void): Promise<void> => {
      breakAll();
      for (;;) {
        await nextTurn();
        checkOpen();
      }
    };
    const closed = { code: 'CONNECTION_CLOSED' };

    const inStatement = inTransaction(sql, async (transaction) => {
      await transaction`insert into numbers values (1)`;
      const asleep = transaction`select pg_sleep(600)`.execute();
      breakAll();
      await asleep;
    });
    await expect(inStatement).rejects.toMatchObject(closed);
    const betweenStatements = inTransaction(sql, async (transaction, checkOpen) => {
      await transaction`insert into numbers values (2)`;
      await untilClosed(checkOpen);
    });
    await expect(betweenStatements).rejects.toMatchObject(closed);
    const beforeCommit = inTransaction(sql, async (transaction, checkOpen) => {
      await transaction`insert into numbers values (3)`;
      await untilClosed(checkOpen).catch(() => undefined);
    });
    await expect(beforeCommit).rejects.toMatchObject(closed);
    const mine = new Error('mine');
    const failing = inTransaction(sql, async (transaction) => {
      await transaction`insert into numbers values (4)`;
      throw mine;
    });
    await expect(failing).rejects.toBe(mine);
    await inTransaction(sql, async (transaction) => {
      await transaction`insert into numbers values (5)`;
    });

    expect([...(await sql`select n from numbers`)]).toEqual([{ n: 5 }]);
    await sql.end({ timeout: 0 });
  });

  test('a connection that is reset at its first statement rejects what was asked, and nothing else', async () => {
    const target = new URL(await server.createDatabase());
    let resets = 0;
    const proxy = createServer((client) => {
      const upstream = connectSocket(Number(target.port), target.hostname);
      client.on('error', () => undefined).on('close', () => upstream.destroy());
      client.on('data', (data: Buffer) => {
        // The type of a Parse message: https://www.postgresql.org/docs/current/protocol-message-formats.html
        if (resets === 0 && data[0] === 'P'.charCodeAt(0)) {
          resets += 1;
          client.resetAndDestroy();
        } else upstream.write(data);
      });
      upstream.on('error', () => undefined).pipe(client);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = new URL(target);
    const address = proxy.address();
    url.port = String(typeof address === 'object' ? address?.port : '');
    const { sql } = connect(url.href, process.env);

    await expect(sql`select ${'a'}::text as text`).rejects.toMatchObject({ code: 'ECONNRESET' });
    const texts = ['plain', 'a "quote", a \\ and {braces}', null, '', 'null', 'ä\n'];
    expect([...(await sql`select * from unnest(${texts}::text[]) as t (text)`)]).toEqual(
      texts.map((text) => ({ text })),
    );
    expect(resets).toBe(1);
    await sql.end({ timeout: 0 });
    proxy.close();
  });

  test('a newer schema, a wrong password and an unknown database are said without the password', async () => {
    const url = await server.createDatabase();
    await using store = postgresStore({ url, folder: '/nowhere' });
    await store.ready();
    await runSql(url, 'insert into parley.migrations (step) values (99)');
    await using late = postgresStore({ url, folder: '/nowhere' });
    await expect(late.ready()).rejects.toMatchObject({
      name: 'HostError',
      message: expect.stringMatching(/version 99/u),
    });

    const wrong = new URL(url);
    wrong.password = 'not-the-password';
    await using refused = postgresStore({ url: wrong.href, folder: '/nowhere' });
    const refusal: unknown = await refused.ready().catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      name: 'HostError',
      message: expect.stringMatching(/password authentication failed/u),
    });
    expect(String(refusal)).not.toContain('not-the-password');

    const unknown = new URL(url);
    unknown.pathname = '/none';
    await using none = postgresStore({ url: unknown.href, folder: '/nowhere' });
    await expect(none.ready()).rejects.toMatchObject({
      name: 'HostError',
      message: expect.stringMatching(/"none" does not exist/u),
    });
  });

  test('the password comes from PGPASSWORD, else from a password file that only its user can read', async () => {
    const url = new URL(await server.createDatabase());
    const { password } = url;
    url.password = '';
    await using byVariable = postgresStore({
      url: url.href,
      folder: '/nowhere',
      env: { PGPASSWORD: password },
    });
    await byVariable.ready();

    const folder = await mkdtemp(path.join(tmpdir(), 'parley-pgpass-'));
    try {
      const file = path.join(folder, 'pgpass');
      const env = { PGPASSFILE: file };
      await writeFile(file, `# mine\nother:*:*:*:no\n127.0.0.1:*:*:${url.username}:${password}\n`, {
        mode: 0o600,
      });
      await using byFile = postgresStore({ url: url.href, folder: '/nowhere', env });
      await byFile.ready();

      await chmod(file, 0o644);
      await using byOpenFile = postgresStore({ url: url.href, folder: '/nowhere', env });
      await expect(byOpenFile.ready()).rejects.toMatchObject({ name: 'HostError' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
