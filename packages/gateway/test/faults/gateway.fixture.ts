import path from 'node:path';
import { filesStore, SharedEventLogs } from '@parley/host';
import { createBridgedAgent, openAapStore } from '../../src/index.ts';
import { serve } from './serve.ts';

// A gateway over a store, with our own agent and its offline model. It says where it is, and is there until it is ended.
const [, , folder = ''] = process.argv;
const eventLogs = new SharedEventLogs({ store: filesStore(path.join(folder, 'sessions')), program: 'test' });
const agent = createBridgedAgent({
  spec: {
    name: 'parley',
    reach: {
      by: 'command',
      command: process.execPath,
      args: [process.env['PARLEY_TEST_BIN'] ?? '', 'agent'],
    },
    env: { PARLEY_HOME: path.join(folder, 'home') },
  },
  clientInfo: { name: 'test', version: '1.0.0' },
  workspaces: [folder],
  askMode: 'confirm',
  eventLogs,
});
const { url, token } = await serve(agent, await openAapStore(path.join(folder, 'store'), { eventLogs }));
process.stdout.write(`${JSON.stringify({ url, token })}\n`);
