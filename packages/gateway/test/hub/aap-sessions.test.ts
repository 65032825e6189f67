import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAapServer, type AapServer } from '@parley/aap/server';
import { filesStore, SharedEventLogs } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { values } from '@parley/host/state';
import { rpcCodes } from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { Hub } from '../../src/hub/create-hub.ts';
import { createApplicationSessions, openAapStore, type AapStore } from '../../src/index.ts';
import { PlainClient } from '../acp/plain-client.ts';
import { bridge } from '../bridge.ts';
import { call, callUpdate, folder, yesOrNo, type ScriptedTurn } from '../scripted-agent.ts';
import { heldCalls, send } from '../send.ts';
import { openHub, type HubStage, type StagedClient } from './hub-stage.ts';

interface Stage {
  readonly hub: HubStage;
  readonly server: AapServer;
  readonly store: AapStore;
  /** A client of the hub. */
  readonly page: StagedClient;
  /** Begins an AAP session, and returns its id. */
  begin(): Promise<string>;
}

/** An AAP server and a hub over the same event logs. */
async function open(turn: (turn: ScriptedTurn) => Promise<void>): Promise<Stage> {
  const workspace = await folder();
  const eventLogs = new SharedEventLogs({ store: filesStore(await folder()), program: 'test 1' });
  const store = await openAapStore(join(await folder(), 'store'), { eventLogs, cwd: workspace });
  onTestFinished(() => store.close());
  const { agent } = await bridge({ turn }, { workspaces: [workspace], eventLogs });
  const server = createAapServer([agent], { store, limits: { quietMs: 1, announcedMs: 1 } });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const hub = await openHub({
    workspaces: [workspace],
    eventLogs,
    applications: createApplicationSessions(store, server),
  });
  return {
    hub,
    server,
    store,
    page: await hub.join(),
    begin: async () => {
      const agentConfig = { name: 'scripted', tools: [{ name: 'execute' }] };
      return String((await send(server, '/sessions', { agent: agentConfig }))['sessionId']);
    },
  };
}

const prompt = (content: string): object => ({ messages: [{ role: 'user', content }] });

/** Asks for leave to run a command. */
async function ask({ client, update, request }: ScriptedTurn): Promise<void> {
  await update(call('a', { kind: 'execute', title: 'Make it', rawInput: { command: 'make' } }));
  await client.request('session/request_permission', {
    sessionId: request.sessionId,
    toolCall: { toolCallId: 'a' },
    options: yesOrNo,
  });
  await update(callUpdate('a', { status: 'completed', rawOutput: 'made' }));
}

test('an AAP session is on the hub under its own id, with its origin', async () => {
  const { server, page, begin } = await open(({ say }) => say('hello'));

  const sessionId = await begin();
  await send(server, `/sessions/${sessionId}/turns`, prompt('greet'));

  await page.until(() => page.sessions.get(sessionId)?.state === 'kept');
  expect(page.sessions.get(sessionId)).toMatchObject({ key: sessionId, agent: 'scripted', origin: 'aap' });
  await page.watch(sessionId);
  await page.until(() => page.isCaughtUp(sessionId));
  expect(page.said(sessionId)).toBe('hello');
});

test('agent messages appear in order', async () => {
  const { server, page, begin } = await open(async (turn) => {
    await turn.say('before');
    await turn.update(call('a', { kind: 'read', title: 'Look', rawInput: { path: '/x' } }));
    await turn.update(callUpdate('a', { status: 'completed', rawOutput: 'seen' }));
    await turn.say('after');
  });
  const sessionId = await begin();
  await send(server, `/sessions/${sessionId}/turns`, prompt('go'));

  await page.watch(sessionId);
  await page.until(() => page.isCaughtUp(sessionId));

  const items = [...values(page.view(sessionId).items)];
  expect(items.map(({ kind }) => kind)).toEqual(['message', 'message', 'tool-call', 'message']);
  expect(page.view(sessionId).turns).toHaveLength(1);
});

test('the output of a call is stored once, and both its agent and its application have it', async () => {
  const output = 'It was made. '.repeat(1000);
  const { hub, server, store, page, begin } = await open(async ({ update }) => {
    await update(call('a', { kind: 'read', title: 'Look', rawInput: { path: '/x' } }));
    await update(callUpdate('a', { status: 'completed', rawOutput: output }));
  });
  const sessionId = await begin();
  const turn = await send(server, `/sessions/${sessionId}/turns`, prompt('go'));

  const { store: logs } = Hub.sessionsOf(hub.hub);
  const log = await readFile(join(logs.folderOf(sessionId), 'journal.jsonl'), 'utf8');
  expect(log.split(output)).toHaveLength(2);
  expect(JSON.stringify(turn['messages'])).toContain(output);
  const records: unknown[] = [];
  await store.read(sessionId, (record) => void records.push(record));
  expect(JSON.stringify(records)).toContain(`"content":"${output}"`);
  await page.watch(sessionId);
  await page.until(() => page.isCaughtUp(sessionId));
  expect(JSON.stringify([...values(page.view(sessionId).items)])).toContain(output);
});

test('a permission request is shown as waiting for the application, and only the application answers it', async () => {
  const { server, page, begin } = await open(ask);
  const sessionId = await begin();
  const turns = `/sessions/${sessionId}/turns`;
  const turn = await send(server, turns, prompt('make it'));

  await page.until(() => page.sessions.get(sessionId)?.state === 'waiting');
  expect(page.sessions.get(sessionId)).toMatchObject({ questions: 0 });
  expect(page.questions).toEqual([]);
  await page.watch(sessionId);
  await page.until(() => page.view(sessionId).questions.length > 0);
  const [question] = page.view(sessionId).questions;
  const answer = { kind: 'option', optionId: 'yes' };
  await expect(
    page.ask(hubMethods.answer, { sessionId, requestId: question?.requestId, answer }),
  ).rejects.toMatchObject({
    code: rpcCodes.invalidRequest,
    message: expect.stringContaining('an application began this session over AAP'),
  });

  const [held] = heldCalls(turn['messages']);
  const messages = [{ role: 'tool_permission', toolCallId: held?.toolCallId, granted: true }];
  expect(await send(server, turns, { messages })).toMatchObject({ stopReason: 'end_turn' });
  await page.until(() => page.sessions.get(sessionId)?.state === 'kept');
});

test('the event log says which token and client sent a prompt, and which gave permission', async () => {
  const { hub, server, begin } = await open(ask);
  const sessionId = await begin();
  const post = (body: object, name: string, client: string): Promise<Response> =>
    server.handle(
      new Request(`http://localhost/sessions/${sessionId}/turns`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': `${client}/1.0` },
        body: JSON.stringify(body),
      }),
      { access: { seesAll: true, name } },
    );
  await post(prompt('make it'), 'web-shop', 'shop');
  await post(
    { messages: [{ role: 'tool_permission', toolCallId: 'a', granted: true }] },
    'night-shift',
    'phone',
  );

  const senders: unknown[] = [];
  await Hub.sessionsOf(hub.hub).store.read(sessionId, (event) => {
    if (event.type === 'turn-start') senders.push(event.from);
    if (event.type === 'permission') senders.push({ person: event.person, client: event.client });
  });

  expect(senders).toEqual([
    { person: 'web-shop', client: { name: 'shop' } },
    { person: 'night-shift', client: { name: 'phone' } },
  ]);
});

test.each(['session/prompt', 'session/set_mode', hubMethods.fork])(
  '%s of another client is refused, and changes nothing',
  async (method) => {
    const { server, page, begin } = await open(({ say }) => say('hello'));
    const sessionId = await begin();
    await send(server, `/sessions/${sessionId}/turns`, prompt('greet'));

    await expect(
      page.ask(method, { sessionId, modeId: 'x', prompt: [{ type: 'text', text: 'more' }] }),
    ).rejects.toMatchObject({ code: rpcCodes.invalidRequest });

    expect(await send(server, `/sessions/${sessionId}/turns`)).toMatchObject({
      turns: [{ status: 'stopped' }],
    });
  },
);

test('a turn that another client cancels stops as cancelled', async () => {
  const { server, page, begin } = await open(async ({ say, signal }) => {
    await say('begun');
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  });
  const sessionId = await begin();
  const turn = send(server, `/sessions/${sessionId}/turns`, prompt('go'));
  await page.until(() => page.sessions.get(sessionId)?.state === 'running');
  await page.watch(sessionId);
  await page.until(() => page.said(sessionId) === 'begun');

  await page.ask(hubMethods.cancel, { sessionId });

  expect(await turn).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
});

test('another client can cancel a wait for the application', async () => {
  const { server, page, begin } = await open(ask);
  const sessionId = await begin();
  await send(server, `/sessions/${sessionId}/turns`, prompt('make it'));
  await page.until(() => page.sessions.get(sessionId)?.state === 'waiting');

  await page.ask(hubMethods.cancel, { sessionId });

  await page.until(() => page.sessions.get(sessionId)?.state === 'kept');
  expect(await send(server, `/sessions/${sessionId}`)).toMatchObject({ status: 'idle' });
});

test('a session that another client deletes is removed for its application too', async () => {
  const { server, page, begin } = await open(({ say }) => say('hello'));
  const sessionId = await begin();
  await send(server, `/sessions/${sessionId}/turns`, prompt('greet'));
  await page.until(() => page.sessions.has(sessionId));

  await page.ask('session/delete', { sessionId });

  expect(await send(server, `/sessions/${sessionId}`)).toMatchObject({ status: 404 });
  await page.until(() => !page.sessions.has(sessionId));
});

test('an application sees only sessions that were begun over AAP', async () => {
  const { server, page, begin } = await open(({ say }) => say('hello'));
  const other = await page.start();
  const sessionId = await begin();

  expect(await send(server, '/sessions')).toMatchObject({ sessions: [{ sessionId }] });
  expect(await send(server, `/sessions/${other}`)).toMatchObject({ status: 404 });
});

test('a token of scope use follows its own AAP sessions, and sees no others', async () => {
  const { hub, server, begin } = await open(({ say }) => say('hello'));
  const body = JSON.stringify({ agent: { name: 'scripted' } });
  const headers = { 'content-type': 'application/json' };
  const begun = await server.handle(
    new Request('http://localhost/sessions', { method: 'POST', headers, body }),
    { access: { tenant: 'token:bob' } },
  );
  const { sessionId } = (await begun.json()) as { readonly sessionId: string };
  const other = await begin();

  const bob = await hub.join('bob', 'use');

  await bob.until(() => bob.sessions.has(sessionId));
  await expect(bob.watch(other)).rejects.toMatchObject({ code: -32002 });
  await expect(bob.ask(hubMethods.cancel, { sessionId: other })).rejects.toMatchObject({
    code: -32002,
  });
});

test('an editor loads an AAP session, follows it and cancels its turn, and cannot prompt', async () => {
  const { hub, server, begin } = await open(async ({ say, text, signal }) => {
    await say(`${text}!`);
    if (text !== 'wait') return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  });
  const sessionId = await begin();
  const turns = `/sessions/${sessionId}/turns`;
  await send(server, turns, prompt('one'));
  const editor = await PlainClient.join(hub.hub);

  await editor.load(sessionId, hub.workspace);
  expect(editor.said).toEqual(['user: one', 'agent: one!']);
  await expect(editor.prompt(sessionId, 'two')).rejects.toMatchObject({ code: rpcCodes.invalidRequest });
  const turn = send(server, turns, prompt('wait'));
  await expect.poll(() => editor.said.at(-1)).toBe('agent: wait!');
  await editor.connection.notify('session/cancel', { sessionId });

  expect(await turn).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
});
