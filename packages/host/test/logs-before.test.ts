import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesStore, readSession, type LoggedEvent, type SessionStore } from '../src/index.ts';
import { titleOf, values } from '../src/state/index.ts';
import { folder } from './harness.ts';

/** Event logs of each kind, as Parley 0.1.0 wrote them: by `run`, by a killed `run`, by the hub, and for an AAP session. */
const before = fileURLToPath(new URL('logs-before', import.meta.url));

async function storeOfBefore(): Promise<SessionStore> {
  const directory = await folder();
  await cp(before, directory, { recursive: true });
  return filesStore(directory);
}

async function eventsOf(store: SessionStore, key: string): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  await store.read(key, (event) => void events.push(event));
  return events;
}

test.each([
  {
    key: 'run',
    events: 30,
    title: 'say: hello',
    state: 'ended',
    texts: ['hello', 'again and "again" ü'.repeat(5)],
  },
  { key: 'killed', events: 9, title: 'say: before', state: 'unknown', texts: ['before'] },
  {
    key: 'hub',
    events: 16,
    title: 'say: from the hub',
    state: 'ended',
    texts: ['from the hub', 'piece piece piece '],
  },
  { key: 'aap', events: 15, title: 'say: over AAP', state: 'ended', texts: ['over AAP', 'twice twice '] },
])('an event log of before is read whole, and appended to: $key', async ({ key, ...expected }) => {
  const store = await storeOfBefore();
  const old = await eventsOf(store, key);
  expect(old.map(({ seq }) => seq)).toEqual(Array.from({ length: expected.events }, (_, index) => index + 1));

  const head = await store.head(key);
  if (head === undefined) throw new Error('it is not listed');
  const { state: view } = await readSession(store, head);
  expect(titleOf(view)).toBe(expected.title);
  expect([...values(view.turns)].map(({ state }) => state)).toEqual([expected.state]);
  const said = [...values(view.items)].flatMap((item) =>
    item.kind === 'message' && item.role === 'agent'
      ? [item.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')]
      : [],
  );
  expect(said).toEqual(expect.arrayContaining(expected.texts));

  const eventLog = await store.open(key, {
    start: { agent: 'other', cwd: '/', program: 'test' },
    onFailure: (error) => {
      throw error;
    },
  });
  const text = '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"more"}}';
  for (const _chunk of [1, 2]) eventLog.append({ type: 'update', update: JSON.parse(text) }, text);
  await eventLog.close();
  const events = await eventsOf(store, key);
  expect(events.slice(0, old.length)).toEqual(old);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.slice(-2)).toMatchObject([{ type: 'update' }, { type: 'update' }]);
});

test('files that an older hub stored next to an event log are read', async () => {
  const store = await storeOfBefore();
  const queue = [{ id: 'q1', blocks: [{ type: 'text', text: 'later' }] }];
  expect(await store.columns('hub')).toMatchObject({ title: 'Named by its user', queue });
});
