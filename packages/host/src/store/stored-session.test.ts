import { expect, test } from 'vitest';
import type { LoggedEntry } from '../event/logged-event.ts';
import { at } from '../state/list.ts';
import { titleOf } from '../state/session-facts.ts';
import type { EventLog } from './event-log.ts';
import { filesStore } from './files/files-store.ts';
import type { SessionHead } from './session-head.ts';
import type { SessionStore } from './session-store.ts';
import { readSession, readSessionFacts, type StoredSession } from './stored-session.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

const beginning: readonly LoggedEntry[] = [
  { type: 'session', sessionId: 's', cwd: '/project', origin: 'new' },
  { type: 'session-ready', sessionId: 's' },
  { type: 'turn-start', sessionId: 's', turnId: 't', prompt: [{ type: 'text', text: 'fix  the\nparser' }] },
  {
    type: 'update',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } },
  },
];

async function openIn(store: SessionStore): Promise<EventLog> {
  return store.open('a', {
    start: { agent: 'test', cwd: '/project', program: 'test 1' },
    onFailure: (error) => {
      throw error;
    },
  });
}

async function headIn(store: SessionStore): Promise<SessionHead> {
  const head = await store.head('a');
  if (head === undefined) throw new Error('there is no session');
  return head;
}

async function readIn(store: SessionStore): Promise<StoredSession> {
  return readSession(store, await headIn(store));
}

test('a turn runs as long as its session has an owner; without an owner it was interrupted', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await openIn(store);
  for (const entry of beginning) eventLog.append(entry);
  await eventLog.ready();
  // A promise for a small event log is not given: the next event that counts brings all of them to the disk.
  eventLog.append({ type: 'turn-cancel', sessionId: 's', turnId: 't', step: 'asked' });
  const open = await readIn(store);
  expect(open.owner).toMatchObject({ pid: process.pid });
  await eventLog.close();
  const { state: view, owner } = await readIn(store);
  expect(owner).toBeUndefined();
  expect(view.phase).toBe('closed');
  expect(at(view.turns, 0)).toMatchObject({ turnId: 't', state: 'unknown' });
  expect(at(view.items, view.items.length - 1)).toMatchObject({ kind: 'interruption', isLossy: false });
});

test('a reader shows an interruption as the next opening writes it', async () => {
  const store = filesStore(await temporaryFolder());
  const first = await openIn(store);
  for (const entry of beginning) first.append(entry);
  await first.close();
  const shown = await readIn(store);
  await (await openIn(store)).close();
  const written = await readIn(store);
  const timeless = (item: unknown): unknown =>
    JSON.parse(
      JSON.stringify(item, (key, value: unknown) =>
        key === 'time' || key === 'progress' ? undefined : value,
      ),
    );
  expect(timeless(written.state)).toEqual(timeless(shown.state));
});

test('the facts of a session are those of its complete state, even if most events are not read', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await openIn(store);
  for (const entry of beginning) eventLog.append(entry);
  eventLog.append({ type: 'turn-end', sessionId: 's', turnId: 't', stopReason: 'end_turn' });
  await eventLog.close();
  const whole = await readIn(store);
  const { state } = await readSessionFacts(store, await headIn(store));
  expect(titleOf(state)).toBe('fix the parser');
  expect(state.phase).toBe('closed');
  expect(whole.state).toMatchObject(state);
});

test('a title takes precedence over the first prompt, in the facts too', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await openIn(store);
  for (const entry of beginning) eventLog.append(entry);
  eventLog.append({ type: 'update', update: { title: 'Parser', sessionUpdate: 'session_info_update' } });
  await eventLog.close();
  const { state } = await readSessionFacts(store, await headIn(store));
  expect(titleOf(state)).toBe('Parser');
});

test('the title that its user gave a session takes precedence over that of its agent', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await openIn(store);
  for (const entry of beginning) eventLog.append(entry);
  await eventLog.close();
  const head = await headIn(store);
  expect(await readSessionFacts(store, head)).toMatchObject({ title: 'fix the parser' });
  await store.setColumns(head.key, { title: 'Mine' });
  expect(await readSessionFacts(store, head)).toMatchObject({ title: 'Mine' });
  expect(await readSession(store, head)).toMatchObject({ title: 'Mine' });
});

test('an event log that fails in the middle is shown up to there, and says why', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await openIn(store);
  for (const entry of beginning) eventLog.append(entry);
  eventLog.append({ type: 'turn-end', sessionId: 's', turnId: 't', stopReason: 'end_turn' });
  // No user writes such a prompt; an event log on a disk that fails would do, and is not to be had in a test.
  const prompt: [] = JSON.parse('[{"type":"text"},{"type":"text","text":"a"}]');
  eventLog.append({ type: 'turn-start', sessionId: 's', turnId: 'u', prompt });
  await eventLog.close();
  const { state: view, failure } = await readIn(store);
  expect(failure).toBeInstanceOf(Error);
  expect(titleOf(view)).toBe('fix the parser');
  expect(view.turns.length).toBe(1);
});
