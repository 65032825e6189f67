import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAgent, filesStore, openSession, toLoggedEntry } from '@parley/host';
import { emptyState, reduce } from '@parley/host/state';
import { streamTransport } from '@parley/wire/node';
import { drive } from './drive.ts';

await drive(async ({ input, output }, tally) => {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-bench-host-'));
  let view = emptyState;
  const eventLog = await filesStore(join(cwd, 'event-logs')).open('bench', {
    start: { agent: 'bench', cwd, program: 'bench' },
    onFailure: (error) => {
      throw error;
    },
    onEvent: (event) => {
      view = reduce(view, event);
    },
  });
  const agent = await connectAgent({
    transport: streamTransport({ input: output, output: input, maxLineBytes: 80 * 1024 * 1024 }),
    clientInfo: { name: 'bench-client', version: '1.0.0' },
    policy: { approve: { level: 'all', given: true }, rules: [] },
    onEvent: (event) => {
      if (event.type === 'update') tally.count(event.view);
      const entry = toLoggedEntry(event);
      if (entry !== undefined) eventLog.append(entry, event.type === 'update' ? event.text : undefined);
      return eventLog.ready();
    },
  });
  const session = await openSession(agent, { cwd });
  return {
    prompt: (text) => session.prompt([{ type: 'text', text }]),
    close: async () => {
      await agent.end();
      await eventLog.close();
      if (view.phase !== 'closed' || view.turns.length !== 1) throw new Error('the view is not whole');
      await rm(cwd, { recursive: true, force: true });
    },
  };
});
