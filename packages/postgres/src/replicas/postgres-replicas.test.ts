import { findPostgres, type TestPostgres } from '@parley/conformance';
import type { CommandOutcome, ReplicaMember, SharedSession, TakenCommand } from '@parley/host';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Connections } from '../connect.ts';
import { runSql, startTestPostgres } from '../database.fixture.ts';
import { Leases, thisProcess, type ServingProcess } from '../leases.ts';
import { postgresStore } from '../postgres-store.ts';
import { migrate } from '../schema/migrate.ts';
import { Commands, type CommandSeal } from './commands.ts';
import { Notices, type NoticeHandlers } from './notices.ts';
import { SharedSessions } from './shared-sessions.ts';

/** A member that only counts looks and collects faults. */
function quietMember(): ReplicaMember & { readonly faults: unknown[]; looks: number } {
  const member = {
    workspaces: [],
    slots: 1,
    taken: () => 0,
    perform: () => Promise.resolve({ result: {} }),
    isWanted: () => undefined,
    isLost: () => undefined,
    faults: [] as unknown[],
    looks: 0,
    onChange: (key?: string) => {
      if (key === undefined) member.looks += 1;
    },
    onFault: (error: unknown) => {
      member.faults.push(error);
    },
  };
  return member;
}

const noHandlers: NoticeHandlers = {
  command: () => undefined,
  target: () => undefined,
  outcome: () => undefined,
  cancel: () => undefined,
  shared: () => undefined,
  replicas: () => undefined,
  missed: () => undefined,
  onFault: () => undefined,
};

function opened(url: string): Connections & AsyncDisposable {
  const connections = connect(url, process.env);
  return { ...connections, [Symbol.asyncDispose]: () => connections.end() };
}

/** Long enough that no lease runs out by itself. */
const leaseMs = 600_000;

const nothingLost: ServingProcess = {
  row: () => ({ workspaces: '[]', slots: 1, taken: 0 }),
  onBeat: () => undefined,
  onLost: () => undefined,
};

/** Statements that wait for a row. */
async function waitingStatements(url: string): Promise<number> {
  const rows = await runSql(url, `select from pg_stat_activity where wait_event_type = 'Lock'`);
  return rows.length;
}

/** Connections to a database with the schema, and with these sessions. */
async function migrated(url: string, ...keys: readonly string[]): Promise<Connections & AsyncDisposable> {
  const connections = opened(url);
  await migrate(connections.sql);
  for (const key of keys) {
    await connections.sql`insert into parley.sessions (key, fence, updated_at) values (${key}, 0, 0)`;
  }
  return connections;
}

/** A further connection, and the statements that it sends. */
function watching(url: string, onQuery: (query: string) => void): { readonly sql: Sql } & AsyncDisposable {
  const debug = (_connection: number, query: string): void => {
    onQuery(query);
  };
  const sql = postgres(url, { max: 1, onnotice: () => undefined, debug });
  return { sql, [Symbol.asyncDispose]: () => sql.end() };
}

/** Acts after some steps of the queue of promises. */
async function after(steps: number, act: () => void): Promise<void> {
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  act();
}

/** A command that a test ends. */
interface TakenHere extends TakenCommand {
  end(outcome: CommandOutcome): void;
}

/** A process that takes commands. It is woken by the test. */
async function replica(
  connections: Connections,
  name: string,
  seal?: CommandSeal,
): Promise<
  {
    readonly leases: Leases;
    readonly commands: Commands;
    readonly taken: readonly TakenHere[];
    readonly faults: unknown[];
  } & AsyncDisposable
> {
  const { sql } = connections;
  const leases = new Leases(connections, thisProcess(name), leaseMs);
  await leases.serve(nothingLost);
  const sealed = seal === undefined ? {} : { seal };
  const commands = new Commands({ sql, leases, notices: new Notices(sql), ...sealed });
  const taken: TakenHere[] = [];
  const member = quietMember();
  commands.serve({
    ...member,
    perform: (command) => new Promise((end) => taken.push({ ...command, end })),
  });
  return {
    leases,
    commands,
    taken,
    faults: member.faults,
    [Symbol.asyncDispose]: () => leases[Symbol.asyncDispose](),
  };
}

function shown(key: string, updatedAt = 1): SharedSession {
  const session = {
    key,
    cwd: '/',
    createdAt: 1,
    updatedAt,
    agent: 'a',
    state: 'idle',
    questions: 0,
    queue: [],
  };
  return { session: session as SharedSession['session'], questions: [] };
}

describe.skipIf('missing' in findPostgres())('replicas of a store in PostgreSQL', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  test('only sessions that were shown are stored and removed: thousands of others cause no statement', async () => {
    const url = await server.createDatabase();
    const store = postgresStore({ url, folder: '/nowhere' });
    const member = quietMember();
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
      await store[Symbol.asyncDispose]();
    }
    expect(member.faults).toEqual([]);
  });

  test('a replica that ends stops listening before it ends its leases, so that it does not wake itself', async () => {
    const url = await server.createDatabase();
    const store = postgresStore({ url, folder: '/nowhere' });
    const member = quietMember();
    await store.replicas.join(member);
    // What its listening connection did last when its row is deleted.
    await runSql(
      url,
      `create table public.seen (query text);
       create function public.see() returns trigger language plpgsql as $$ begin
         insert into public.seen select query from pg_stat_activity
           where datname = current_database() and query ~ '^(un)?listen "parley_replicas"';
         return old; end $$;
       create trigger see before delete on parley.replicas for each row execute function public.see();`,
    );
    const { looks } = member;

    await store[Symbol.asyncDispose]();

    expect(await runSql(url, 'select query from public.seen')).toEqual([
      { query: 'unlisten "parley_replicas"' },
    ]);
    expect(await runSql(url, 'select from parley.replicas')).toEqual([]);
    expect(member.looks).toBe(looks);
    expect(member.faults).toEqual([]);
  });

  test('work that a wake-up began and that fails after the end of listening is no fault', async () => {
    await using connections = opened(await server.createDatabase());
    const notices = new Notices(connections.sql);
    const faults: unknown[] = [];
    let fail: (error: Error) => void = () => {};
    let begun = 0;
    const work = (): Promise<void> => {
      begun += 1;
      return new Promise<void>((_resolve, reject) => (fail = reject));
    };
    await notices.listen({ ...noHandlers, target: work, onFault: (error) => faults.push(error) });
    await notices.send('target', 'one');
    await expect.poll(() => begun).toBe(1);

    await notices.close();
    fail(new Error('the connections have ended'));
    await new Promise(setImmediate);

    expect(faults).toEqual([]);
  });

  test('a fault of work that a wake-up began is reported, and a handler of faults may throw', async () => {
    const url = await server.createDatabase();
    await using connections = opened(url);
    const store = postgresStore({ url, folder: '/nowhere' });
    const member = quietMember();
    const onFault = (error: unknown): never => {
      member.faults.push(error);
      throw new Error('the log is full');
    };
    await store.replicas.join({ ...member, onFault });
    await runSql(url, 'alter table parley.shared rename to away');
    await new Notices(connections.sql).send('shared', 'one');
    await expect
      .poll(() => member.faults)
      .toMatchObject([{ message: expect.stringMatching(/"parley.shared" does not exist/u) }]);
    await store[Symbol.asyncDispose]();
  });

  test('an open log is lost too if this replica has the session again by the time it looks', async () => {
    const url = await server.createDatabase();
    await using connections = await migrated(url);
    await using leases = new Leases(connections, thisProcess('one'), leaseMs);
    const lost: string[] = [];
    await leases.serve({ ...nothingLost, onLost: (key) => lost.push(key) });
    await leases.take('one', { workspace: null, folder: null });
    // It was frozen. Another replica had the session meanwhile, and a request reserves it before the next sign of life.
    await runSql(
      url,
      `update parley.replicas set alive_until = clock_timestamp() - interval '1 second';
       update parley.sessions set owner = null, fence = fence + 1`,
    );
    expect(await leases.reserve('one')).toBe(true);

    await leases.beat();

    expect(lost).toEqual(['one']);
  });

  test('a reservation that ends while its event log is being opened does not end the lease', async () => {
    const url = await server.createDatabase();
    await using connections = await migrated(url, 's');
    await using leases = new Leases(connections, thisProcess('one'), leaseMs);
    await leases.serve(nothingLost);
    await leases.reserve('s');
    await using other = opened(url);
    // Both wait for the row: without an order, the lease is taken first and released then.
    const [fence, isReleased] = await other.sql
      .begin(async (transaction) => {
        await transaction`select from parley.sessions where key = 's' for update`;
        const both = Promise.all([
          leases.take('s', { workspace: null, folder: null }),
          leases.unreserve('s'),
        ] as const);
        await expect.poll(() => waitingStatements(url)).toBeGreaterThan(0);
        return { both };
      })
      .then(({ both }) => both);

    expect(isReleased).toBe(false);
    const row = { owner: leases.id, fence: String(fence) };
    expect(await runSql(url, `select owner, fence from parley.sessions where key = 's'`)).toEqual([row]);
  });

  test('a reserved session that another replica has taken over is lost when its event log is opened, before that fails', async () => {
    const url = await server.createDatabase();
    await using connections = await migrated(url, 's');
    await using leases = new Leases(connections, thisProcess('one'), leaseMs);
    const lost: string[] = [];
    await leases.serve({ ...nothingLost, onLost: (key) => lost.push(key) });
    await leases.reserve('s');
    // It was frozen, or cut off, for longer than its leases last.
    await runSql(url, `update parley.replicas set alive_until = clock_timestamp() - interval '1 second'`);
    await using nextConnections = opened(url);
    await using next = new Leases(nextConnections, thisProcess('two'), leaseMs);
    await next.serve(nothingLost);
    await next.reserve('s');

    const taking = leases.take('s', { workspace: null, folder: null }).catch((error: unknown) => {
      throw Object.assign(new Error(String(error)), { lost: [...lost] });
    });

    await expect(taking).rejects.toMatchObject({ lost: ['s'] });
    await expect(taking).rejects.toThrow('two is writing to it');
  });

  test('a session that is open here is not lost when it is opened again', async () => {
    const url = await server.createDatabase();
    await using connections = await migrated(url);
    await using leases = new Leases(connections, thisProcess('one'), leaseMs);
    const lost: string[] = [];
    await leases.serve({ ...nothingLost, onLost: (key) => lost.push(key) });
    const columns = { workspace: null, folder: null };
    await leases.take('s', columns);
    await expect(leases.take('s', columns)).rejects.toThrow('one is writing to it');
    expect(lost).toEqual([]);
  });

  test('a sign of life after the end of the leases does not bring the replica back', async () => {
    const url = await server.createDatabase();
    await using connections = await migrated(url);
    const leases = new Leases(connections, thisProcess('one'), leaseMs);
    await leases.serve(nothingLost);
    expect(await runSql(url, 'select name from parley.replicas')).toEqual([{ name: 'one' }]);

    await leases[Symbol.asyncDispose]();
    await leases.beat();

    expect(await runSql(url, 'select name from parley.replicas')).toEqual([]);
  });

  test('a replica that could not look which sessions it lost looks again with the next sign of life', async () => {
    const url = await server.createDatabase();
    await using connections = await migrated(url);
    await using leases = new Leases(connections, thisProcess('one'), leaseMs);
    const lost: string[] = [];
    await leases.serve({ ...nothingLost, onLost: (key) => lost.push(key) });
    for (const key of ['kept', 'taken']) await leases.take(key, { workspace: null, folder: null });
    await runSql(
      url,
      `update parley.replicas set alive_until = clock_timestamp() - interval '1 second';
       update parley.sessions set owner = gen_random_uuid(), fence = fence + 1 where key = 'taken';
       alter table parley.sessions rename to away`,
    );
    // The sign of life is stored, what is looked at after it is not there.
    await expect(leases.beat()).rejects.toThrow(/"parley.sessions" does not exist/u);
    await runSql(url, 'alter table parley.away rename to sessions');

    await leases.beat();

    expect(lost).toEqual(['taken']);
  });

  describe('commands', () => {
    const command = { id: 'c1', key: 's', body: { method: 'm' }, hasSecret: false };

    test('a command with a secret is refused before any SQL without a key, and stored encrypted with one', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 's');
      const statements: string[] = [];
      await using watched = watching(url, (query) => statements.push(query));
      await using leases = new Leases(connections, thisProcess('one'), leaseMs);
      const { signal } = new AbortController();
      const secret = { ...command, body: { value: 'planted' }, hasSecret: true };
      const parts = { sql: watched.sql, leases, notices: new Notices(watched.sql) };
      const plain = new Commands(parts);
      const refusal = { code: 'failed', message: expect.stringMatching(/same --secrets-key/u) };
      await expect(plain.store(secret)).rejects.toMatchObject(refusal);
      await expect(plain.send(secret, signal)).rejects.toMatchObject(refusal);
      expect(statements).toEqual([]);

      const reversed = (text: string): string => [...text].toReversed().join('');
      const seal: CommandSeal = {
        seal: (text) => Promise.resolve(reversed(text)),
        open: (text) => Promise.resolve(reversed(text)),
      };
      await new Commands({ ...parts, seal }).store(secret);

      const body = reversed(JSON.stringify(secret.body));
      expect(await runSql(url, 'select body from parley.commands')).toEqual([{ body }]);
    });

    test('an owner that lost a session and has it again does the command that it had taken', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 's');
      await using one = await replica(connections, 'one');
      await using two = await replica(connections, 'two');
      await one.leases.reserve('s');
      await one.commands.store(command);
      await one.commands.take('s');
      expect(one.taken.map(({ isRetaken }) => isRetaken)).toEqual([false]);
      // It is frozen. The next owner does nothing, and releases the session.
      await runSql(url, `update parley.replicas set alive_until = clock_timestamp() where name = 'one'`);
      expect(await two.leases.reserve('s')).toBe(true);
      await two.leases.unreserve('s');
      await one.leases.beat();
      one.commands.drop('s');
      expect(one.taken[0]?.signal.aborted).toBe(true);
      await one.leases.reserve('s');
      await one.commands.take('s');
      expect(one.taken.map(({ isRetaken }) => isRetaken)).toEqual([false, true]);

      // What was dropped is no outcome, and what is done here is not taken again.
      one.taken[0]?.end({ result: 'dropped' });
      await new Promise(setImmediate);
      await one.commands.take('s');
      expect(one.taken).toHaveLength(2);
      one.taken[1]?.end({ result: 'done' });
      const outcomes = (): Promise<unknown> => runSql(url, 'select outcome from parley.commands');
      await expect.poll(outcomes).toEqual([{ outcome: '{"result":"done"}' }]);
      expect(one.faults).toEqual([]);
    });

    test('a command whose outcome cannot be stored yet is not done a second time', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 's');
      await using one = await replica(connections, 'one');
      await one.leases.reserve('s');
      await one.commands.store(command);
      await one.commands.take('s');
      await runSql(
        url,
        `create function public.refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
         create trigger refuse before update of outcome on parley.commands for each row execute function public.refuse()`,
      );
      one.taken[0]?.end({ result: 'done' });
      await new Promise(setImmediate);

      await one.commands.take('s');
      // The session is lost, and is had again.
      one.commands.drop('s');
      await one.commands.take('s');

      expect(one.taken).toHaveLength(1);
      await runSql(url, 'drop trigger refuse on parley.commands');
      const outcomes = (): Promise<unknown> => runSql(url, 'select outcome from parley.commands');
      await expect.poll(outcomes).toEqual([{ outcome: '{"result":"done"}' }]);
    });

    test('a command that this replica took without beginning it is found by the next look', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 's');
      await using one = await replica(connections, 'one');
      await one.leases.reserve('s');
      await one.commands.store(command);
      // The answer to the statement that took it was lost.
      await runSql(
        url,
        `update parley.commands set taken_by = (select id from parley.replicas where name = 'one')`,
      );

      await one.commands.look();

      expect(one.taken.map(({ isRetaken }) => isRetaken)).toEqual([true]);
    });

    test('commands to a session that its owner cannot run wait for the next owner', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 's');
      const { sql } = connections;
      await using leases = new Leases(connections, thisProcess('one'), leaseMs);
      await leases.serve(nothingLost);
      const commands = new Commands({ sql, leases, notices: new Notices(sql) });
      const begun: string[] = [];
      let isRunnable = false;
      commands.serve({
        ...quietMember(),
        isRunnable: () => isRunnable,
        perform: ({ id }) => {
          begun.push(id);
          return Promise.resolve({ result: {} });
        },
      });
      await leases.reserve('s');
      await commands.store(command);
      await commands.onCommand('s');
      expect(begun).toEqual([]);
      isRunnable = true;
      await commands.onCommand('s');
      expect(begun).toEqual(['c1']);
      await commands.settled();
    });

    test('commands are begun in the order in which they were sent, also where one of them takes longer to decrypt', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 's');
      const seal: CommandSeal = {
        seal: (plain) => Promise.resolve(plain),
        open: async (sealed) => {
          if (sealed.includes('first')) await new Promise(setImmediate);
          return sealed;
        },
      };
      await using one = await replica(connections, 'one', seal);
      await one.leases.reserve('s');
      for (const method of ['first', 'second', 'third']) {
        await one.commands.store({ ...command, id: method, body: { method } });
      }

      await one.commands.take('s');

      expect(one.taken.map(({ id }) => id)).toEqual(['first', 'second', 'third']);
    });

    test('an outcome that cannot be encrypted is an error of the sender, and a fault here', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 's');
      let isBroken = false;
      const seal: CommandSeal = {
        seal: (plain) =>
          isBroken ? Promise.reject(new Error('no key')) : Promise.resolve(plain.toUpperCase()),
        open: (sealed) => Promise.resolve(sealed.toLowerCase()),
      };
      await using one = await replica(connections, 'one', seal);
      await one.leases.reserve('s');
      const sent = one.commands.send(command, new AbortController().signal);
      await expect.poll(() => runSql(url, 'select key from parley.commands')).toEqual([{ key: 's' }]);
      await one.commands.take('s');
      isBroken = true;
      one.taken[0]?.end({ result: 'done' });
      await expect
        .poll(() => one.commands.onOutcome('c1').then(() => runSql(url, 'select from parley.commands')))
        .toEqual([]);

      expect(await sent).toMatchObject({
        error: { code: -32603, message: expect.stringMatching(/could not be passed on/u) },
      });
      expect(one.faults).toMatchObject([{ message: 'no key' }]);
    });

    test('that the asked machine has ended is said in words also where outcomes are encrypted', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url);
      const seal: CommandSeal = {
        seal: (plain) => Promise.resolve(`sealed ${plain}`),
        open: (sealed) => Promise.resolve(sealed.startsWith('sealed ') ? sealed.slice(7) : undefined),
      };
      await using one = await replica(connections, 'one', seal);
      const target = crypto.randomUUID();
      const sent = one.commands.send({ ...command, key: '', target }, new AbortController().signal);
      await expect.poll(() => runSql(url, 'select id from parley.commands')).toEqual([{ id: 'c1' }]);
      await one.commands.look();

      expect(await sent).toMatchObject({
        error: { message: expect.stringMatching(/the machine that was asked has ended/u) },
      });
    });
  });

  describe('what a replica shows', () => {
    const rows = (url: string): Promise<unknown> =>
      runSql(url, `select key, session::json->>'updatedAt' as updated from parley.shared order by key`);

    test('is stored when it can be, and an older state never replaces a newer one', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url);
      let attempts = 0;
      await using watched = watching(url, (query) => {
        if (!query.includes('insert into parley.shared')) return;
        attempts += 1;
        // It changes while the state before is being stored.
        if (attempts === 1) shared.share('two', shown('two', 2));
      });
      const owner = crypto.randomUUID();
      const shared = new SharedSessions({ sql: watched.sql, owner, notices: new Notices(connections.sql) });
      await runSql(url, 'alter table parley.shared rename to away');
      shared.share('one', shown('one', 1));
      shared.share('two', shown('two', 1));
      await expect.poll(() => attempts).toBeGreaterThan(1);
      await runSql(url, 'alter table parley.away rename to shared');

      await expect
        .poll(() => rows(url))
        .toEqual([
          { key: 'one', updated: '1' },
          { key: 'two', updated: '2' },
        ]);
      await shared.end();
    });

    test('does not replace what the next owner of a session shows', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url, 'lost', 'own');
      const [before, next] = [crypto.randomUUID(), crypto.randomUUID()];
      const notices = new Notices(connections.sql);
      const old = new SharedSessions({ sql: connections.sql, owner: before, notices });
      const fresh = new SharedSessions({ sql: connections.sql, owner: next, notices });
      await runSql(
        url,
        `update parley.sessions set owner = case key when 'lost' then '${next}'::uuid else '${before}'::uuid end`,
      );
      fresh.share('lost', shown('lost', 2));
      await fresh.end();
      // It was frozen, and does not know yet that it lost the session.
      old.share('lost', shown('lost', 1));
      old.share('own', shown('own', 1));
      await old.end();

      expect(await rows(url)).toEqual([
        { key: 'lost', updated: '2' },
        { key: 'own', updated: '1' },
      ]);
      old.share('lost', undefined);
      await old.end();
      expect(await runSql(url, `select replica from parley.shared where key = 'lost'`)).toEqual([
        { replica: next },
      ]);
    });

    test('is stored whenever it is shared, also just as the changes before are stored', async () => {
      const url = await server.createDatabase();
      await using connections = await migrated(url);
      const { sql } = connections;
      const last = 8;
      const keys = Array.from({ length: last + 1 }, (_, index) => `s${String(index)}`);
      const notify = sql.notify.bind(sql);
      let sent = 0;
      // The next one is shared a step later each time: one of them is the step in which the work ends.
      const notices = new Notices(
        Object.assign(sql, {
          notify: async (channel: string, payload: string) => {
            const result = await notify(channel, payload);
            const steps = sent;
            sent += 1;
            void after(steps, () => {
              const key = keys[sent];
              if (key !== undefined) shared.share(key, shown(key));
            });
            return result;
          },
        }),
      );
      const shared = new SharedSessions({ sql, owner: crypto.randomUUID(), notices });
      shared.share('s0', shown('s0'));

      await expect
        .poll(() => runSql(url, 'select key from parley.shared order by key'))
        .toEqual(keys.map((key) => ({ key })));
      await shared.end();
    });
  });
});
