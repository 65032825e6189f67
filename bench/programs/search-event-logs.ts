import { createSearchPattern, filesStore, searchEventLogs } from '@parley/host';
import { chunkUpdate, toolUpdate } from './payload.ts';

// Event logs as those of many sessions: `write FOLDER COUNT`, then `search FOLDER`.
const [, , what = '', folder = '', count = '0'] = process.argv;

const store = filesStore(folder);

const eventsOfOne = 2500;
const needle = 'a word that no other session has';

if (what === 'write') {
  for (let session = 0; session < Number(count); session++) {
    const key = `session-${String(session)}`;
    await using eventLog = await store.open(key, {
      start: { agent: 'bench', cwd: '/', program: 'bench' },
      onFailure: (error) => {
        throw error;
      },
    });
    for (let index = 0; index < eventsOfOne; index++) {
      const isChunk = index % 40 < 20;
      eventLog.append({ type: 'update', update: isChunk ? chunkUpdate(index) : toolUpdate(index) });
      await eventLog.ready();
    }
    if (session !== 0) continue;
    const content = { type: 'text', text: needle };
    eventLog.append({ type: 'update', update: { sessionUpdate: 'agent_message_chunk', content } });
  }
  console.log('{}');
} else {
  const listing = performance.now();
  const sessions = await store.list();
  const listMs = performance.now() - listing;
  const [oneMs, one] = await search(needle);
  const [noneMs, none] = await search(`${needle} before`);
  if (one !== 1 || none !== 0) throw new Error(`found ${one} and ${none}`);
  console.log(JSON.stringify({ listMs, oneMs, noneMs, eventLogs: sessions.length }));

  async function search(text: string): Promise<[milliseconds: number, hits: number]> {
    const begun = performance.now();
    let hits = 0;
    for await (const hit of searchEventLogs(store, sessions, createSearchPattern(text))) {
      hits += hit.seq > 0 ? 1 : 0;
    }
    return [performance.now() - begun, hits];
  }
}
