import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAapServer, memoryStore } from '@parley/aap/server';
import {
  createBridgedAgent,
  createGateway,
  makeToken,
  openSessionStore,
  toTokenRecord,
} from '@parley/gateway';
import { serveFanout } from './fanout.ts';
import { scriptedTransport } from './scripted-transport.ts';

// A gateway as `parley serve` has it, with an agent in the same process that says what it is told to.
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
process.once('exit', () => void rm(folder, { recursive: true, force: true }));
const bridged = createBridgedAgent({
  name: 'scripted',
  clientInfo: { name: 'bench', version: '1.0.0' },
  workspaces: [folder],
  access: { by: 'transport', connect: () => Promise.resolve(scriptedTransport()) },
});
await bridged.probe();
const store = process.argv[2] === 'memory' ? memoryStore() : await openSessionStore(join(folder, 'store'));
const aap = createAapServer([bridged], { store, basePath: '/aap' });
const token = makeToken();
const gateway = createGateway({
  port: 0,
  tokens: () => [toTokenRecord(token, { name: 'bench', scope: 'admin' })],
  routes: [{ path: '/aap', isPrefix: true, answer: (request) => aap.handle(request, { access: {} }) }],
});
await gateway.listen();
serveFanout(`${gateway.url}/aap`, token);
