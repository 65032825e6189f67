import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHub, type Hub } from '@parley/gateway';
import { filesStore, SharedEventLogs, unlimitedPool } from '@parley/host';
import { attends, hubMethods } from '@parley/host/hub';
import { connect, memoryPair } from '@parley/wire';
import { costOf, medianCost, type Cost } from './cost.ts';
import { toFanoutText } from './fanout.ts';
import { settledHeap } from './heap.ts';
import { scriptedTransport } from './scripted-transport.ts';

// So many sessions in one hub, each with an agent in the same process, and a client that has the list of all: prints what one of
// them takes to open, to run a turn with all others at once, and of the heap.

const [, , count = '0', turns = '0', chunks = '0'] = process.argv;

/** Sessions that are opened at the same time, as by a client that has many windows. */
const openedAtOnce = 10;

const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-bench-')));
// The machine code that grows with the first ones belongs to none of them; also a single session then has that of many.
const first = await openSessions('first', 20);
for (let turn = 0; turn < 25; turn += 1) await first.turn();
await first.close();

const before = await settledHeap();
let opened: OpenSessions | undefined;
const opening = await costOf(async () => {
  opened = await openSessions('all', Number(count));
});
if (opened === undefined) throw new Error('no session was opened');
const all = opened;
await all.turn();
const bytes = ((await settledHeap()) - before) / Number(count);
const turning: Cost[] = [];
// As many turns for each number of sessions, and at least three rounds of them.
for (let round = 0; round < Math.max(3, Number(turns) / Number(count)); round += 1) {
  turning.push(await costOf(() => all.turn()));
}
await all.close();
await rm(folder, { recursive: true, force: true });
const { micros, cpuMicros } = medianCost(turning);
console.log(
  JSON.stringify({
    open: opening.micros / Number(count),
    openCpu: opening.cpuMicros / Number(count),
    turn: micros / Number(count),
    turnCpu: cpuMicros / Number(count),
    bytes,
  }),
);

interface OpenSessions {
  /** A turn in all of them at once. */
  turn(): Promise<void>;
  close(): Promise<void>;
}

async function openSessions(name: string, wanted: number): Promise<OpenSessions> {
  const hub = openHub(join(folder, name));
  const [near, far] = memoryPair();
  void hub.connect(far, { principal: { id: 'token:bench', name: 'bench', scope: 'admin' } });
  const client = connect(near, {});
  const clientCapabilities = { _meta: { [attends]: true } };
  await client.request('initialize', { protocolVersion: 1, clientCapabilities });
  await client.request(hubMethods.attend, {});
  const keys: string[] = [];
  let left = wanted;
  const openSome = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const session = await client.request('session/new', { cwd: folder, mcpServers: [] });
      keys.push((session as { sessionId: string }).sessionId);
    }
  };
  await Promise.all(Array.from({ length: openedAtOnce }, openSome));
  const prompt = [{ type: 'text', text: toFanoutText({ events: Number(chunks), gapMs: 0 }) }];
  return {
    turn: async () => {
      await Promise.all(keys.map((sessionId) => client.request('session/prompt', { sessionId, prompt })));
    },
    close: async () => {
      await client.close();
      await hub.close();
    },
  };
}

function openHub(directory: string): Hub {
  return createHub({
    agents: [
      {
        name: 'scripted',
        place: 'configured',
        spec: { name: 'scripted', reach: { by: 'transport', connect: scriptedTransport } },
      },
    ],
    defaultAgent: 'scripted',
    workspaces: [folder],
    eventLogs: new SharedEventLogs({ store: filesStore(directory), program: 'bench' }),
    policyFor: () => ({ approve: { level: 'ask', given: false }, rules: [] }),
    pool: unlimitedPool(),
    info: { name: 'bench', version: '1.0.0' },
    limits: { offerMs: 0 },
  });
}
