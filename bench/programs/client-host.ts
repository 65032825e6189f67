import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAgent, filesStore, writeEventLogs, openSession } from '@parley/host';
import { emptyState, reduce } from '@parley/host/state';
import { streamTransport } from '@parley/wire/node';
import { drive } from './drive.ts';

await drive(async ({ input, output }, tally) => {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-bench-host-'));
  let view = emptyState;
  const eventLogs = writeEventLogs({
    store: filesStore(join(cwd, 'event-logs')),
    program: 'bench',
    onFailure: (error) => {
      throw error;
    },
    onEvent: (_key, event) => {
      view = reduce(view, event);
    },
  });
  const agent = await connectAgent({
    transport: streamTransport({ input: output, output: input, maxLineBytes: 80 * 1024 * 1024 }),
    clientInfo: { name: 'bench-client', version: '1.0.0' },
    policy: { approve: { level: 'all', given: true }, rules: [] },
    onEvent: (event) => {
      if (event.type === 'update') tally.count(event.view);
      return eventLogs.take(event);
    },
  });
  const session = await openSession(agent, { cwd });
  return {
    prompt: (text) => session.prompt([{ type: 'text', text }]),
    close: async () => {
      await agent.end();
      await eventLogs.close();
      if (view.phase !== 'closed' || view.turns.length !== 1) throw new Error('the view is not whole');
      await rm(cwd, { recursive: true, force: true });
    },
  };
});
