import { appendFileSync } from 'node:fs';
import { createAgent, type SessionUpdate } from '@parley/acp';
import { filesStore, unlimitedPool, type AgentReach, SharedEventLogs } from '@parley/host';
import { memoryPair } from '@parley/wire';
import { Hub } from '../../src/hub/create-hub.ts';
import { createHub } from '../../src/index.ts';

/*
 * Owns the one session of a store: continues it, sends what waits in its queue, and two prompts more. It kills itself at a
 * step: the first of a name, or the one of a number. What it acknowledges goes to the file `said`, a line each; what its
 * agent does, to the file `effects`.
 */
const [, , root = '', owner = '', killedAt = '', known = '0'] = process.argv;
const workspace = `${root}/workspace`;
const effects = `${root}/effects`;
let steps = 0;

function step(name: string): void {
  steps += 1;
  if (name === killedAt || steps === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
}

function say(line: object): void {
  appendFileSync(`${root}/said`, `${JSON.stringify(line)}\n`);
}

const reach: AgentReach = {
  by: 'transport',
  connect: () => {
    const [client, transport] = memoryPair();
    createAgent({
      info: { name: 'scripted', version: '1.0.0' },
      capabilities: { sessionCapabilities: { resume: {}, close: {} } },
      handlers: {
        'session/new': () => ({ sessionId: `session-of-${owner}` }),
        'session/resume': () => ({}),
        'session/close': () => ({}),
        'session/prompt': async ({ sessionId, prompt }, { client: asked, update }) => {
          const [block] = prompt;
          // What a turn does to the world, once.
          appendFileSync(effects, `${block?.type === 'text' ? block.text : ''}\n`);
          step('agent-prompted');
          const said = (text: string): SessionUpdate => ({
            sessionUpdate: 'agent_message_chunk',
            content: { type: 'text', text },
          });
          for (const text of 'abcdef') {
            await update(said(text));
            step(`agent-said-${text}`);
          }
          await update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Write', kind: 'edit' });
          await asked.request('session/request_permission', {
            sessionId,
            toolCall: { toolCallId: 'c' },
            options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          });
          step('agent-allowed');
          await asked.request('fs/write_text_file', {
            sessionId,
            path: `${workspace}/written`,
            content: owner,
          });
          step('agent-wrote');
          await update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' });
          for (const text of 'ghi') await update(said(text));
          step('agent-done');
          return { stopReason: 'end_turn' };
        },
      },
    }).connect(transport);
    return client;
  },
};

const store = filesStore(`${root}/sessions`);
const hub = createHub({
  agents: [{ name: 'scripted', place: 'configured', spec: { name: 'scripted', reach } }],
  defaultAgent: 'scripted',
  workspaces: [workspace],
  eventLogs: new SharedEventLogs({ store, program: 'test' }),
  policyFor: () => ({ approve: { level: 'all', given: true }, rules: [] }),
  pool: unlimitedPool(),
  info: { name: 'hub', version: '1' },
  onEvent: ({ type }) => step(`event-${type}`),
  onFault: (error) => {
    say({ fault: String(error) });
  },
});
const table = Hub.sessionsOf(hub);
const [head] = await store.list();
step('listed');
const key =
  head?.key ??
  (await table.begin({ cwd: workspace, additionalDirectories: [], meta: {}, owner: 'token' })).key;
step('begun');
void follow();
const session = await table.steer(key);
await session.open();
say({ opened: key });
step('opened');
const from = { person: 'test' };
const restored = session.turns.queue.prompts.map(({ id }) => id);
if (restored.length > 0) session.turns.change({ kind: 'go-on' });
const sent = ['first', 'second'].map((name) => {
  const id = `${owner}-${name}`;
  const { answered } = session.turns.send([{ type: 'text', text: id }], { from, isUnattended: false, id });
  step(`sent-${name}`);
  return answered.then(({ stopReason }) => {
    say({ answered: id, stopReason });
    step(`answered-${name}`);
  });
});
await Promise.all(sent);
await session.turns.settled(60_000);
say({ done: owner });
await hub.close();
process.exit(0);

async function follow(): Promise<void> {
  for await (const { events } of store.follow(key, {
    signal: new AbortController().signal,
    after: Number(known),
  })) {
    for (const { seq, type } of events) {
      say({ seen: seq, type });
      step(`seen-${type}`);
    }
  }
}
