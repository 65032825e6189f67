import { createSearchPattern, filesStore, searchEventLogs } from '@parley/host';
import { emptyState, reduce } from '@parley/host/state';
import { costOf, medianCost, type Cost } from './cost.ts';

// One session, in a process that has opened, searched and followed another one before: `FOLDER KEY OTHER-KEY REPEATS`. Prints
// what each event costs to derive its state, to search it for words that it does not have, and to attach at its end.

const [, , folder = '', key = '', other = '', repeats = '0'] = process.argv;
const store = filesStore(folder);

/** Rounds before it is measured: the machine code of a server is there already. */
const warmUps = 5;
for (let round = 0; round < warmUps; round += 1) {
  const last = await open(other);
  await search(other);
  await attach(other, last);
}

let last = 0;
const opening = await middle(async () => {
  last = await open(key);
});
const searching = await middle(() => search(key));
const attaching = await middle(() => attach(key, last));
const eventLog = await store.open(key, {
  start: { agent: 'bench', cwd: '/', program: 'bench' },
  onFailure: (error) => {
    throw error;
  },
});
/** The process of the owner has what is new in memory: it takes so little that it is measured many times. */
const liveAttaches = 100;
const live = await costOf(async () => {
  for (let round = 0; round < liveAttaches; round += 1) await attach(key, last);
});
await eventLog.close();
console.log(
  JSON.stringify({
    open: opening.micros / last,
    openCpu: opening.cpuMicros / last,
    search: searching.micros / last,
    searchCpu: searching.cpuMicros / last,
    attach: attaching.micros / last,
    attachCpu: attaching.cpuMicros / last,
    live: live.micros / liveAttaches,
  }),
);

async function open(opened: string): Promise<number> {
  let state = emptyState;
  await store.read(opened, (event) => {
    state = reduce(state, event);
  });
  return state.seq;
}

async function search(searched: string): Promise<void> {
  const head = await store.head(searched);
  if (head === undefined) throw new Error(`there is no session ${searched}`);
  const pattern = createSearchPattern('words that no session has');
  for await (const { seq } of searchEventLogs(store, [head], pattern)) {
    throw new Error(`event ${String(seq)} was found`);
  }
}

/** Follows from the last event that is known, until the end is reached. */
async function attach(followed: string, after: number): Promise<void> {
  const end = new AbortController();
  for await (const { events, isAtEnd } of store.follow(followed, { after, signal: end.signal })) {
    if (events.length > 0) throw new Error(`an event after ${String(after)}`);
    if (isAtEnd) break;
  }
  end.abort();
}

async function middle(act: () => Promise<void>): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < Number(repeats); round += 1) {
    globalThis.gc?.();
    costs.push(await costOf(act));
  }
  return medianCost(costs);
}
