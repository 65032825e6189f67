import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridgedAgent } from '@parley/gateway';
import { filesStore, SharedEventLogs } from '@parley/host';
import { serveFanout } from './fanout.ts';
import { openGateway } from './open-gateway.ts';
import { scriptedTransport } from './scripted-transport.ts';

// A gateway as `parley serve` has it, with an agent in the same process that follows its prompt.
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
const eventLogs = new SharedEventLogs({ store: filesStore(join(folder, 'sessions')), program: 'bench' });
const bridged = createBridgedAgent({
  eventLogs,
  clientInfo: { name: 'bench', version: '1.0.0' },
  workspaces: [folder],
  spec: { name: 'scripted', reach: { by: 'transport', connect: scriptedTransport } },
});
await bridged.probe();
const { url, token } = await openGateway(bridged, join(folder, 'store'), eventLogs);
serveFanout({ url, token, agent: 'scripted' }, () => rm(folder, { recursive: true, force: true }));
