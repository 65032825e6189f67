import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { filesStore, unlimitedPool, SharedEventLogs } from '@parley/host';
import { attends, hubMethods } from '@parley/host/hub';
import { connect, memoryPair } from '@parley/wire';
import { Hub } from '../../src/hub/create-hub.ts';
import { createHub } from '../../src/index.ts';

/*
 * Owns a session whose sub-agents work, one of them waiting for a permission and a form, and sends three queued prompts into its turn: the
 * agent takes one, wants one as a prompt, and does not answer the last. Writes the key of the session when all of that is stored, and waits to be killed.
 */
const [, , root = '', command = '', ...args] = process.argv;
const workspace = `${root}/workspace`;
const store = filesStore(`${root}/sessions`);
const hub = createHub({
  agents: [
    {
      name: 'scripted',
      place: 'configured',
      spec: { name: 'scripted', reach: { by: 'command', command, args } },
    },
  ],
  defaultAgent: 'scripted',
  workspaces: [workspace],
  eventLogs: new SharedEventLogs({ store, program: 'test' }),
  policyFor: () => ({ approve: { level: 'ask', given: false }, rules: [] }),
  pool: unlimitedPool(),
  info: { name: 'hub', version: '1' },
});
const table = Hub.sessionsOf(hub);
const { key } = await table.begin({ cwd: workspace, additionalDirectories: [], meta: {}, owner: 'token' });
const { turns } = await table.steer(key);
const send = (id: string): void => {
  turns.send([{ type: 'text', text: id }], { from: { person: 'test' }, isUnattended: false, id });
};
const [near, far] = memoryPair();
void hub.connect(far, { principal: { id: 'token', name: 'test', scope: 'admin' } });
// What a page would be: without a client that may answer, the permission would be rejected.
const page = connect(near, {});
const capabilities = { _meta: { [attends]: true } };
await page.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
await page.request(hubMethods.attend, {});
await page.request(hubMethods.watch, { sessionId: key, after: 0 });
send('first');
/** Sends text into the running turn. */
const steer = (id: string): void => {
  send(id);
  turns.change({ kind: 'send-now', id });
};
const next = ['now', 'late', 'steered'];
const wanted = new Set(['permission-request', 'elicitation-request', 'steering-request steered']);
for await (const { events } of store.follow(key, { signal: new AbortController().signal, after: 0 })) {
  for (const event of events) {
    wanted.delete(event.type);
    if (event.type === 'steering-request') wanted.delete(`steering-request ${event.promptId}`);
    if (event.type !== 'permission-request' && event.type !== 'steering') continue;
    steer(next.shift() ?? '');
    if (next.length === 0) send('waits');
  }
  if (wanted.size === 0) break;
}
// The queue is in a file of its own.
while (!(await readFile(`${root}/sessions/${key}/desk.json`, 'utf8').catch(() => '')).includes('waits')) {
  await setTimeout(10);
}
process.stdout.write(`${key}\n`);
