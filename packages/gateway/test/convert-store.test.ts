import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAapServer, type ServedAgent, type AapSessionStore } from '@parley/aap/server';
import { filesStore, readSession, SharedEventLogs } from '@parley/host';
import { expect, onTestFinished, test } from 'vitest';
import { openAapStore, openSecretVault, type AapStore } from '../src/index.ts';

// What `parley serve` 0.1.0 stored before AAP sessions had event logs: a session with two turns and a granted call, one that waits
// for a permission, and one whose server was killed in its turn.
const fixture = fileURLToPath(new URL('fixtures/aap-store', import.meta.url));
const finished = 'b29ec0c5-959f-40c6-9652-d6b941299fee';
const waiting = 'ed40029c-beb4-40f8-be38-6946ef172b1c';
const killed = '94e9a2ee-5f1c-421a-9860-f4f2d7dd7311';
/** When the fixture was made: its waiting call has not expired yet. */
const madeAt = new Date('2026-11-22T19:10:00Z');

async function copyOfFixture(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-convert-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(fixture, folder, { recursive: true });
  await chmod(path.join(folder, 'store', 'secrets.key'), 0o600);
  return folder;
}

async function open(folder: string): Promise<AapStore> {
  const directory = path.join(folder, 'sessions');
  const eventLogs = new SharedEventLogs({ store: filesStore(directory), program: 'test 1.0.0' });
  const store = await openAapStore(path.join(folder, 'store'), { eventLogs, cwd: '/tmp/workspace' });
  onTestFinished(() => store.close());
  return store;
}

const agent: ServedAgent = {
  info: { name: 'with-key', version: '1.0.0', capabilities: { history: { full: {} } } },
  run: () => Promise.resolve({ stopReason: 'end_turn' }),
};

async function get(store: AapSessionStore, url: string): Promise<unknown> {
  const server = createAapServer([agent], { store, today: () => madeAt });
  const answer = await server.handle(new Request(`http://localhost${url}`), { access: { seesAll: true } });
  return answer.json();
}

test('sessions of the previous version are read with histories, turns and waiting calls', async () => {
  const folder = await copyOfFixture();
  const store = await open(folder);
  const histories: unknown = JSON.parse(await readFile(path.join(folder, 'history.json'), 'utf8'));

  expect(store.converted).toBe(3);
  expect(await get(store, '/sessions')).toMatchObject({
    sessions: [
      { sessionId: killed, status: 'idle', title: 'say: begun' },
      { sessionId: waiting, status: 'waiting' },
      { sessionId: finished, status: 'idle', title: 'say: hello' },
    ],
  });
  expect({
    one: await get(store, `/sessions/${finished}/history?type=full`),
    two: await get(store, `/sessions/${waiting}/history?type=full`),
  }).toEqual(histories);
  expect(await get(store, `/sessions/${killed}/turns`)).toMatchObject({
    turns: [{ status: 'stopped', stopReason: 'error', error: { code: 'interrupted' } }],
  });
});

test('a stored secret of the previous version can still be read', async () => {
  const folder = await copyOfFixture();
  const store = await open(folder);
  const vault = await openSecretVault(path.join(folder, 'store', 'secrets.key'));
  let sealed = '';

  await store.read(finished, (record) => {
    sealed ||= /"sealed":"([^"]+)"/u.exec(JSON.stringify(record))?.[1] ?? '';
  });

  expect(await vault.open(sealed)).toBe('sk-very-secret-value');
});

test('a converted session has one event log under its own id, with everything its agent did', async () => {
  const folder = await copyOfFixture();
  await open(folder);
  const store = filesStore(path.join(folder, 'sessions'));
  const logs = await store.list();

  expect(logs.map(({ start }) => start.key).toSorted()).toEqual([killed, finished, waiting].toSorted());
  expect(logs.every(({ start }) => start.origin === 'aap' && start.cwd === '/tmp/workspace')).toBe(true);
  const head = logs.find(({ key }) => key === finished);
  assert(head !== undefined);
  const { state: view } = await readSession(store, head);
  expect(view.turns).toHaveLength(2);
  expect(JSON.stringify(view.items)).toMatch(/hello.*a thought.*there.*Run echo made.*done/su);
});

test('nothing is converted twice, and nothing is lost', async () => {
  const folder = await copyOfFixture();
  const first = await open(folder);
  const before = await get(first, `/sessions/${finished}/history?type=full`);
  await first.close();

  const second = await open(folder);

  expect(second.converted).toBe(0);
  expect(await get(second, `/sessions/${finished}/history?type=full`)).toEqual(before);
  expect(await readdir(path.join(folder, 'store', 'sessions'))).toEqual([]);
});
