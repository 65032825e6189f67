import { setTimeout as delay } from 'node:timers/promises';
import { postgresStore } from '@parley/postgres';
import postgres from 'postgres';
import { joinHub } from './hub-client.ts';
import { startReplica } from './start-replica.ts';

// What a replica with a page costs a database and its machine: without sessions, and with many idle ones.

const [, , command = '', url = '', folder = '', agent = '', count = '0'] = process.argv;

/** Signs of life come every 2 s, and so do checks of connections: a measurement has the same number of each. */
const leaseSeconds = 6;
const measuredMs = 8000;
const settleMs = 1500;

const database = new URL(url).pathname.slice(1);
// Its own queries are those of another database.
const observed = new URL(url);
observed.pathname = '/postgres';
const observer = postgres(observed.href, { max: 1, onnotice: () => undefined });

const empty = await measure('empty');
await addSessions(Number(count));
const full = await measure('full');
console.log(
  JSON.stringify({
    emptyQueries: empty.queries,
    queries: full.queries,
    emptyCpuMs: empty.cpuMs,
    cpuMs: full.cpuMs,
    emptyConnections: empty.connections,
    connections: full.connections,
    emptyBytes: empty.bytes,
    bytes: full.bytes,
  }),
);
await observer.end();
process.exit();

interface Cost {
  /** Statements per second. */
  readonly queries: number;
  /** Processor time of the replica per second. */
  readonly cpuMs: number;
  readonly connections: number;
  readonly bytes: number;
}

async function measure(name: string): Promise<Cost> {
  const server = await startReplica(name, { command, url, folder, leaseSeconds, agent });
  const { connection } = await joinHub(server);
  await delay(settleMs);
  const before = await look(server);
  const begun = performance.now();
  await delay(measuredMs);
  const after = await look(server);
  const seconds = (performance.now() - begun) / 1000;
  await connection.close();
  await server.end();
  return {
    queries: (after.statements - before.statements) / seconds,
    cpuMs: ((after.cpuSeconds - before.cpuSeconds) * 1000) / seconds,
    connections: after.connections,
    bytes: after.bytes,
  };
}

async function look({ origin, token }: { readonly origin: string; readonly token: string }) {
  const [row] = await observer`
    select xact_commit + xact_rollback as statements,
      (select count(*) from pg_stat_activity where datname = ${database}) as connections
    from pg_stat_database where datname = ${database}`;
  const response = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const metrics = await response.text();
  const metric = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(metrics)?.[1] ?? Number.NaN);
  return {
    statements: Number(row?.['statements']),
    connections: Number(row?.['connections']),
    cpuSeconds: metric('process_cpu_seconds_total'),
    bytes: metric('process_resident_memory_bytes'),
  };
}

/** Copies of a session that has ended a turn. */
async function addSessions(wanted: number): Promise<void> {
  const key = 'idle-0';
  const store = postgresStore({ url, folder });
  const log = await store.open(key, {
    start: { agent: 'paced', cwd: '/', program: 'bench' },
    onFailure: (error) => {
      throw error;
    },
  });
  for (let index = 0; index < 20; index += 1) {
    const content = { type: 'text', text: 'a piece of an answer ' } as const;
    log.append({ type: 'update', update: { sessionUpdate: 'agent_message_chunk', content } });
  }
  await log.close();
  await store[Symbol.asyncDispose]();
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql`
    insert into parley.sessions (key, fence, last_seq, updated_at, start, session_id, title)
    select 'idle-' || n, fence, last_seq, updated_at, start, session_id, title
    from parley.sessions, generate_series(1, ${wanted - 1}::int) n where key = ${key}`;
  await sql`
    insert into parley.records (key, seq, last, record)
    select 'idle-' || n, seq, last, record from parley.records, generate_series(1, ${wanted - 1}::int) n where key = ${key}`;
  // What follows from that is not what is measured.
  await sql`vacuum analyze parley.sessions, parley.records`;
  await sql.end();
}
