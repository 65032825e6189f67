import type { EventsNote } from '@parley/host/hub';
import { joinHub } from './hub-client.ts';
import { sharedFolder, startReplica } from './start-replica.ts';
import { nowMicros } from './time-mark.ts';

// How long what an agent says takes to a client of the replica that runs it, and to a client of another one.

const [, , command = '', url = '', folder = '', agent = '', count = '0'] = process.argv;

const options = { command, url, folder, agent, leaseSeconds: 10 };
const one = await startReplica('one', options);
const two = await startReplica('two', options);
const near = observer();
const far = observer();
const nearClient = await joinHub(one, { onEvents: near.take });
const farClient = await joinHub(two, { onEvents: far.take });
const sessionId = await nearClient.begin('paced', sharedFolder(folder));
await nearClient.watch(sessionId);
await farClient.watch(sessionId);
await nearClient.prompt(sessionId, '50');
await Promise.all([near.until(50), far.until(50)]);
// What came first opened the session, and compiled the code.
near.delays.length = 0;
far.delays.length = 0;
await nearClient.prompt(sessionId, count);
await Promise.all([near.until(Number(count)), far.until(Number(count))]);
console.log(
  JSON.stringify({
    nearP50: near.percentile(0.5),
    nearP99: near.percentile(0.99),
    p50: far.percentile(0.5),
    p99: far.percentile(0.99),
  }),
);
await Promise.all([one.end(), two.end()]);
process.exit();

interface Observer {
  /** Milliseconds of each chunk. */
  readonly delays: number[];
  readonly take: (note: EventsNote) => void;
  until(count: number): Promise<void>;
  percentile(part: number): number | undefined;
}

function observer(): Observer {
  const delays: number[] = [];
  let look: () => void = () => {};
  return {
    delays,
    take: ({ events }) => {
      const now = nowMicros();
      for (const event of events) {
        if (event.type !== 'update') continue;
        const [, mark] = /"t(\d{16}) /u.exec(JSON.stringify(event.update)) ?? [];
        if (mark !== undefined) delays.push((now - Number(mark)) / 1000);
      }
      look();
    },
    until: (wanted) =>
      new Promise((resolve) => {
        look = () => {
          if (delays.length >= wanted) resolve();
        };
        look();
      }),
    percentile: (part) => delays.toSorted((left, right) => left - right)[Math.floor(delays.length * part)],
  };
}
