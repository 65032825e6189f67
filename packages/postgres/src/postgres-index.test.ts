import { findPostgres } from '@parley/conformance';
import { expect, test } from 'vitest';
import { startTestPostgres } from './database.fixture.ts';
import { postgresStore } from './postgres-store.ts';

test.skipIf('missing' in findPostgres())(
  'other processes find the head of an AAP session that was stored last',
  async () => {
    await using server = await startTestPostgres();
    const url = await server.createDatabase();
    await using owner = postgresStore({ url, folder: '/nowhere' });
    await using other = postgresStore({ url, folder: '/nowhere' });
    const start = { agent: 'scripted', cwd: '/work', program: 'test' };
    const log = await owner.open('one', { start, onFailure: () => undefined });
    await log.stored();
    const index = other.index(() => undefined);

    for (const status of ['idle', 'running', 'idle']) {
      await log.appendNow({ type: 'aap', head: { status }, records: [] });
      await index.look();
      expect(index.get('one')?.applicationHead).toEqual({ status });
    }

    await log.close();
    await index.settled();
  },
);
