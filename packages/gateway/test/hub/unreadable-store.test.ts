import { join } from 'node:path';
import { createAapServer } from '@parley/aap/server';
import { filesStore, HostError, SharedEventLogs, type FilesStore } from '@parley/host';
import { expect, onTestFinished, test } from 'vitest';
import { createApplicationSessions, openAapStore } from '../../src/index.ts';
import { bridge } from '../bridge.ts';
import { folder } from '../scripted-agent.ts';
import { send } from '../send.ts';
import { createGate, openHub } from './hub-stage.ts';

/** A store of files in which no session can be looked for while `isDown`, as in a database that was killed. */
interface FailingStore {
  readonly store: FilesStore;
  isDown: boolean;
}

const down = new Error('write CONNECTION_CLOSED 127.0.0.1:5432');

async function failingStore(): Promise<FailingStore> {
  const store = filesStore(await folder());
  const failing = { store, isDown: false };
  const openIndex = store.index.bind(store);
  store.index = (onChange) => {
    const index = openIndex(onChange);
    const find = index.find.bind(index);
    index.find = (key) => (failing.isDown ? Promise.reject(down) : find(key));
    return index;
  };
  return failing;
}

// An unhandled rejection ends `serve`, and fails a test.
test('while a session cannot be read, what an application does with it is shown all the same, and the failure is reported', async () => {
  const failing = await failingStore();
  const workspace = await folder();
  const eventLogs = new SharedEventLogs({ store: failing.store, program: 'test 1' });
  const store = await openAapStore(join(await folder(), 'store'), { eventLogs, cwd: workspace });
  onTestFinished(() => store.close());
  const said = createGate();
  const { agent } = await bridge({ turn: () => said.passed }, { workspaces: [workspace], eventLogs });
  const server = createAapServer([agent], { store });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const hub = await openHub({
    workspaces: [workspace],
    eventLogs,
    applications: createApplicationSessions(store, server),
  });
  const page = await hub.join();
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted' } });
  const key = String(sessionId);
  await page.until(() => page.sessions.get(key)?.state === 'kept');

  failing.isDown = true;
  const turn = send(server, `/sessions/${key}/turns`, { messages: [{ role: 'user', content: 'go' }] });
  await page.until(() => page.sessions.get(key)?.state === 'running');
  expect(hub.faults).toContain(down);
  said.open();
  await turn;
  await page.until(() => page.sessions.get(key)?.state === 'kept');
});

test('a session that another process has opened is shown as such although it cannot be read again', async () => {
  const failing = await failingStore();
  const hub = await openHub({
    eventLogs: new SharedEventLogs({ store: failing.store, program: 'test 1' }),
  });
  const page = await hub.join();
  failing.store.open = () => {
    failing.isDown = true;
    return Promise.reject(new HostError('already-open', 'open session: another process is writing to it'));
  };

  await expect(page.start()).rejects.toThrow(/another process/u);
  await expect.poll(() => hub.faults).toContain(down);
});
