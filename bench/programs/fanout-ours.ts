import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridgedAgent, openAapStore, openSharedAapStore } from '@parley/gateway';
import { filesStore, SharedEventLogs } from '@parley/host';
import { postgresStore } from '@parley/postgres';
import { serveFanout } from './fanout.ts';
import { openGateway } from './open-gateway.ts';
import { scriptedTransport } from './scripted-transport.ts';

// A gateway as `parley serve` has it, with an agent in the same process that follows its prompt. Its sessions are files, or in the
// database of the URL.

const [, , databaseUrl] = process.argv;
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
const stores = await (databaseUrl === undefined ? openFiles() : openDatabase(databaseUrl));
const bridged = createBridgedAgent({
  eventLogs: stores.eventLogs,
  clientInfo: { name: 'bench', version: '1.0.0' },
  workspaces: [folder],
  spec: { name: 'scripted', reach: { by: 'transport', connect: scriptedTransport } },
});
await bridged.probe();
serveFanout({ ...(await openGateway(bridged, stores.applications)), agent: 'scripted' }, async () => {
  await stores.close();
  await rm(folder, { recursive: true, force: true });
});

async function openFiles() {
  const eventLogs = new SharedEventLogs({ store: filesStore(join(folder, 'sessions')), program: 'bench' });
  const applications = await openAapStore(join(folder, 'store'), { eventLogs });
  return { eventLogs, applications, close: () => Promise.resolve() };
}

async function openDatabase(url: string) {
  const store = postgresStore({ url, folder });
  const eventLogs = new SharedEventLogs({ store, program: 'bench' });
  const applications = await openSharedAapStore({
    eventLogs,
    cwd: folder,
    created: store.document('created'),
  });
  return { eventLogs, applications, close: () => store[Symbol.asyncDispose]() };
}
