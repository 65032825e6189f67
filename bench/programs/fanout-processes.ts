import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridgedAgent, openAapStore } from '@parley/gateway';
import { filesStore, SharedEventLogs } from '@parley/host';
import { serveFanout } from './fanout.ts';
import { openGateway } from './open-gateway.ts';

// A gateway whose sessions have a process each: our own agent, with its offline model.
const [, , command = ''] = process.argv;
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
const eventLogs = new SharedEventLogs({ store: filesStore(join(folder, 'sessions')), program: 'bench' });
const bridged = createBridgedAgent({
  eventLogs,
  clientInfo: { name: 'bench', version: '1.0.0' },
  workspaces: [folder],
  spec: {
    name: 'offline',
    reach: { by: 'command', command: process.execPath, args: [command, 'agent'] },
    env: { PARLEY_HOME: join(folder, 'home') },
  },
});
await bridged.probe();
const store = await openAapStore(join(folder, 'store'), { eventLogs });
const { url, token } = await openGateway(bridged, store);
serveFanout({ url, token, agent: 'offline' }, async () => {
  await bridged.close();
  await rm(folder, { recursive: true, force: true });
});
