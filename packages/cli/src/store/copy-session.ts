import { createHash } from 'node:crypto';
import { HostError, type SessionStore } from '@parley/host';

/** What came of copying a session. `differs`: the target has another one with its id. `open`: a process is writing to it. */
export type Copied = 'copied' | 'same' | 'differs' | 'open';

/** Copies the event log of a session to another store, unchanged. */
export async function copySession(key: string, from: SessionStore, to: SessionStore): Promise<Copied> {
  if ((await from.owner(key)) !== undefined) return 'open';
  if ((await to.head(key)) !== undefined) return compare(key, from, to);
  try {
    await to.restore(key, async (append) => {
      await from.read(key, (event) => append(event));
    });
  } catch (error) {
    // Another copy was faster.
    if (error instanceof HostError && error.code === 'already-open') return compare(key, from, to);
    throw error;
  }
  const columns = await from.columns(key);
  if (Object.keys(columns).length > 0) await to.setColumns(key, columns);
  return 'copied';
}

async function compare(key: string, from: SessionStore, to: SessionStore): Promise<Copied> {
  return (await digestOf(key, from)) === (await digestOf(key, to)) ? 'same' : 'differs';
}

/** A digest of all events. */
async function digestOf(key: string, store: SessionStore): Promise<string> {
  const hash = createHash('sha256');
  await store.read(key, (event) => {
    hash.update(JSON.stringify(event)).update('\n');
  });
  return hash.digest('hex');
}
