import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesStore, type EventLog } from '@parley/host';
import { postgresStore } from '@parley/postgres';
import { nowMicros } from './fanout.ts';
import { toolUpdate } from './payload.ts';

// The event logs of a replica: each session appends an event in each turn of the event loop, as from an agent, and has a client that
// follows it, which receives what is stored. The store is the database of a URL, or files.

const [, , url = '', sessions = '0', events = '0'] = process.argv;
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
const database = url === 'files' ? undefined : postgresStore({ url, folder });
const store = database ?? filesStore(folder);

const logs: EventLog[] = [];
for (let index = 0; index < Number(sessions); index += 1) {
  logs.push(
    await store.open(`session-${String(process.pid)}-${String(index)}`, {
      start: { agent: 'bench', cwd: '/', program: 'bench' },
      onFailure: (error) => {
        throw error;
      },
    }),
  );
}
const ends: AbortController[] = [];
/** Events that the followers do not have yet: each log begins with one. */
let missing = logs.length;
let onComplete: () => void = () => {};
const following = logs.map(({ key }) => follow(key));
// Once before it is measured: servers run for days.
await append(Math.min(Number(events), 200));

console.log('ready');
process.stdin.once('data', () => {
  void measure();
});

async function measure(): Promise<void> {
  const before = process.cpuUsage();
  const begun = nowMicros();
  await append(Number(events));
  const ended = nowMicros();
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ begun, ended, cpuMicros: user + system }));
  for (const end of ends) end.abort();
  await Promise.all(following);
  await Promise.all(logs.map((log) => log.close()));
  await database?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  process.exit();
}

/** Settles when all followers have so many more events. */
async function append(count: number): Promise<void> {
  missing += logs.length * count;
  const complete = new Promise<void>((resolve) => {
    onComplete = resolve;
  });
  for (let index = 0; index < count; index += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    for (const log of logs) {
      log.append({ type: 'update', update: { ...toolUpdate(index), toolCallId: `call-${String(index)}` } });
    }
    for (const log of logs) await log.ready();
  }
  await complete;
}

async function follow(key: string): Promise<void> {
  const end = new AbortController();
  ends.push(end);
  for await (const part of store.follow(key, { signal: end.signal })) {
    missing -= part.events.length;
    if (missing === 0) onComplete();
  }
}
