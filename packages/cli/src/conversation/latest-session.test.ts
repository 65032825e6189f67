import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesStore, type FilesStore } from '@parley/host';
import { expect, onTestFinished, test } from 'vitest';
import { findLatestStored } from './latest-session.ts';

async function openStore(): Promise<FilesStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-latest-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return filesStore(folder);
}

/** Stores a session of one turn. */
async function storeSession(
  store: FilesStore,
  key: string,
  { origin, time }: { readonly origin?: 'aap'; readonly time: number },
): Promise<void> {
  await using log = await store.open(key, {
    start: { agent: 'a', cwd: '/w', program: 'test', ...(origin !== undefined && { origin }) },
    now: () => time,
    onFailure: (error) => {
      throw error;
    },
  });
  const sessionId = `${key} of the agent`;
  log.append({ type: 'session', sessionId, cwd: '/w', origin: 'new' });
  log.append({ type: 'turn-start', sessionId, turnId: 't', prompt: [] });
  log.append({ type: 'turn-end', sessionId, turnId: 't', stopReason: 'end_turn' });
}

test('--continue ignores sessions of applications', async () => {
  const store = await openStore();
  await storeSession(store, 'own', { time: 1 });
  await storeSession(store, 'application', { origin: 'aap', time: 2 });

  const latest = await findLatestStored(
    { capabilities: { loadSession: true } },
    { store, heads: await store.list(), agent: { agent: 'a' } },
  );

  expect(latest).toBe('own of the agent');
});
