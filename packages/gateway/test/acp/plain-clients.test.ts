import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { authRequired } from '@parley/acp';
import type { AgentSpec } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { memoryPair, RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { Hub } from '../../src/hub/create-hub.ts';
import { createGate, openHub } from '../hub/hub-stage.ts';
import { call, folder, yesOrNo, type ScriptedTurn } from '../scripted-agent.ts';
import { PlainClient, toFields } from './plain-client.ts';

const soon = { timeout: 120_000 };

/** A turn that asks for permission, and says what was decided. */
async function askFirst({ client, request, update, say }: ScriptedTurn): Promise<void> {
  await update(call('c1', { kind: 'execute', rawInput: { command: 'make' } }));
  const { outcome } = await client.request('session/request_permission', {
    sessionId: request.sessionId,
    toolCall: { toolCallId: 'c1' },
    options: [...yesOrNo],
  });
  await say(outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome);
}

const allow = { outcome: { outcome: 'selected', optionId: 'yes' } };

test('a prompt is one turn for all clients; its sender does not get its own prompt back', async () => {
  const stage = await openHub({ agent: { turn: ({ say }) => say('hello') } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const eve = await PlainClient.join(stage.hub, { name: 'other' });
  await eve.load(sessionId, stage.workspace);
  const page = await stage.join();
  await page.watch(sessionId);

  expect(await ada.prompt(sessionId, 'one')).toEqual({ stopReason: 'end_turn' });
  expect(ada.said).toEqual(['agent: hello']);
  await expect.poll(() => eve.said, soon).toEqual(['user: one', 'agent: hello']);
  expect(await eve.prompt(sessionId, 'two')).toEqual({ stopReason: 'end_turn' });
  await page.prompt(sessionId, 'three');

  const last = ['user: three', 'agent: hello'];
  await expect.poll(() => ada.said, soon).toEqual(['agent: hello', 'user: two', 'agent: hello', ...last]);
  await expect.poll(() => eve.said, soon).toEqual(['user: one', 'agent: hello', 'agent: hello', ...last]);
  expect(stage.prompts).toHaveLength(3);
  await page.until(() => page.said(sessionId) === 'hellohellohello');
});

test('session/load replays the conversation before its response, and no agent is started for it', async () => {
  const stage = await openHub({ agent: { turn: ({ say, text }) => say(`${text}!`) } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  await ada.prompt(sessionId, 'one');
  await ada.prompt(sessionId, 'two');
  const asked = stage.requests.length;

  const eve = await PlainClient.join(stage.hub);
  await eve.load(sessionId, stage.workspace);

  expect(eve.said).toEqual(['user: one', 'agent: one!', 'user: two', 'agent: two!']);
  expect(stage.requests).toHaveLength(asked);
});

test('a client that resumes gets no history, and all new updates', async () => {
  const stage = await openHub({ agent: { turn: ({ say }) => say('hello') } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  await ada.prompt(sessionId, 'one');

  const eve = await PlainClient.join(stage.hub);
  await eve.ask('session/resume', { sessionId, cwd: stage.workspace });
  await ada.prompt(sessionId, 'two');

  await expect.poll(() => eve.said, soon).toEqual(['user: two', 'agent: hello']);
});

test('a prompt during a turn is rejected for plain clients, and queued for the page', async () => {
  const goOn = createGate();
  const stage = await openHub({
    agent: {
      turn: async ({ say, text }) => {
        await say(text);
        await goOn.passed;
      },
    },
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const first = ada.prompt(sessionId, 'one');
  await expect.poll(() => ada.said, soon).toEqual(['agent: one']);
  const page = await stage.join();
  const eve = await PlainClient.join(stage.hub);

  await expect(ada.prompt(sessionId, 'two')).rejects.toMatchObject({ code: -32600 });
  await expect(eve.prompt(sessionId, 'two')).rejects.toMatchObject({ code: -32600 });
  const queued = page.prompt(sessionId, 'three');
  await page.until(() => page.sessions.get(sessionId)?.queue.length === 1);
  goOn.open();

  expect(await first).toEqual({ stopReason: 'end_turn' });
  expect(await queued).toEqual({ stopReason: 'end_turn' });
  expect(stage.prompts).toHaveLength(2);
});

test('a permission request goes to all clients; the first answer counts, and the others are cancelled', async () => {
  const stage = await openHub({ agent: { turn: askFirst } });
  const ada = await PlainClient.join(stage.hub, { name: 'zed' });
  const answer = createGate();
  const eve = await PlainClient.join(stage.hub, {
    name: 'neovim',
    token: 'eve',
    onRequest: async () => {
      await answer.passed;
      return allow;
    },
  });
  const sessionId = await ada.begin(stage.workspace);
  await eve.load(sessionId, stage.workspace);
  const prompted = ada.prompt(sessionId, 'go');
  await expect.poll(() => [ada.asked.length, eve.asked.length], soon).toEqual([1, 1]);
  expect(ada.asked[0]).toMatchObject({
    method: 'session/request_permission',
    params: { sessionId, toolCall: { toolCallId: 'c1', kind: 'execute' }, options: yesOrNo },
  });
  // What it is about comes before it.
  expect(ada.updates.at(-1)).toMatchObject({ update: { sessionUpdate: 'tool_call', toolCallId: 'c1' } });
  answer.open();

  await prompted;
  expect(ada.said.at(-1)).toBe('agent: yes');
  await expect.poll(() => ada.cancelled, soon).toBe(1);
  expect(stage.events).toContainEqual(
    expect.objectContaining({
      type: 'permission',
      decision: 'yes',
      by: 'person',
      person: 'eve',
      client: { name: 'neovim' },
    }),
  );
});

test('an error response decides nothing, and a client that loads the session receives open requests', async () => {
  const stage = await openHub({ agent: { turn: askFirst } });
  const ada = await PlainClient.join(stage.hub, {
    onRequest: () => {
      throw new RpcError(-32603, 'no dialog here');
    },
  });
  const sessionId = await ada.begin(stage.workspace);
  const prompted = ada.prompt(sessionId, 'go');
  await expect.poll(() => ada.asked.length, soon).toBe(1);

  const late = await PlainClient.join(stage.hub, { onRequest: () => allow });
  await late.load(sessionId, stage.workspace);

  await prompted;
  expect(late.asked).toHaveLength(1);
  expect(ada.said.at(-1)).toBe('agent: yes');
});

test('the page can answer a request that a plain client received', async () => {
  const stage = await openHub({ agent: { turn: askFirst } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const page = await stage.join();
  const prompted = ada.prompt(sessionId, 'go');
  const { requestId } = await page.question('permission');
  await expect.poll(() => ada.asked.length, soon).toBe(1);
  await page.ask(hubMethods.answer, {
    sessionId,
    requestId,
    answer: { kind: 'option', optionId: 'no' },
  });

  await prompted;
  expect(ada.cancelled).toBe(1);
  expect(ada.said.at(-1)).toBe('agent: no');
});

test('a client that disconnects changes nothing: the next one is asked', async () => {
  const stage = await openHub({ agent: { turn: askFirst } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  ada.prompt(sessionId, 'go').catch(() => undefined);
  await expect.poll(() => ada.asked.length, soon).toBe(1);
  await ada.connection.close();

  const eve = await PlainClient.join(stage.hub, { onRequest: () => allow });
  await eve.load(sessionId, stage.workspace);

  await expect.poll(() => eve.said.at(-1), soon).toBe('agent: yes');
});

test('requests in a turn of an unattended sender go to plain clients that have the session open', async () => {
  const stage = await openHub({ agent: { turn: askFirst } });
  const ada = await PlainClient.join(stage.hub, { onRequest: () => allow });
  const sessionId = await ada.begin(stage.workspace);
  const script = await PlainClient.join(stage.hub);
  await script.ask(hubMethods.attend, { answers: false });
  const unattended = { _meta: { 'parley/unattended': true } };

  await script.prompt(sessionId, 'go', unattended);
  await ada.connection.close();
  await expect.poll(() => stage.hub.clients, soon).toBe(1);
  await script.prompt(sessionId, 'go', unattended);

  expect(stage.events.filter(({ type }) => type === 'permission')).toMatchObject([
    { decision: 'yes', by: 'person' },
    { decision: 'no', by: 'nobody' },
  ]);
});

test('a question that no connected client can show is rejected, or waits for the page if it is connected', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ client, request: { sessionId }, say }) => {
        const requestedSchema = { type: 'object', properties: {} } as const;
        const form = { mode: 'form', sessionId, message: 'Which?', requestedSchema } as const;
        await say((await client.request('elicitation/create', form)).action);
      },
    },
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);

  await ada.prompt(sessionId, 'alone');
  const page = await stage.join();
  const prompted = ada.prompt(sessionId, 'with the page');
  const { requestId } = await page.question('elicitation');
  const answer = { kind: 'form', action: 'decline' };
  await page.ask(hubMethods.answer, { sessionId, requestId, answer });
  await prompted;

  await expect.poll(() => ada.said, soon).toEqual(['agent: cancel', 'agent: decline']);
});

test('a form goes to the plain clients that declared forms; the first answer counts', async () => {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
  const stage = await openHub({
    agent: {
      turn: async ({ client, request: { sessionId }, say }) => {
        const form = { mode: 'form', sessionId, message: 'Which?', requestedSchema } as const;
        await say(JSON.stringify(await client.request('elicitation/create', form)));
      },
    },
  });
  const capabilities = { elicitation: { form: {} } };
  const ada = await PlainClient.join(stage.hub, { capabilities });
  const sessionId = await ada.begin(stage.workspace);
  const accepted = { action: 'accept', content: { name: 'main' } };
  const eve = await PlainClient.join(stage.hub, { capabilities, onRequest: () => accepted });
  const other = await PlainClient.join(stage.hub);
  for (const client of [eve, other]) await client.load(sessionId, stage.workspace);

  await ada.prompt(sessionId, 'go');

  const asked = { sessionId, mode: 'form', message: 'Which?', requestedSchema };
  expect(eve.asked).toMatchObject([{ method: 'elicitation/create', params: asked }]);
  expect(ada.asked).toMatchObject([{ method: 'elicitation/create', params: asked }]);
  await expect.poll(() => ada.cancelled, soon).toBe(1);
  expect(other.asked).toEqual([]);
  expect(JSON.parse(ada.said.at(-1)?.replace('agent: ', '') ?? '')).toMatchObject(accepted);
});

test('the end of a question with an address reaches the clients that declared such questions', async () => {
  const elicitationId = 'e1';
  const stage = await openHub({
    agent: {
      turn: async ({ client, request: { sessionId }, say }) => {
        const question = { sessionId, message: 'Go there', url: 'https://example.com/', elicitationId };
        await client.request('elicitation/create', { ...question, mode: 'url' });
        await client.notify('elicitation/complete', { elicitationId });
        await say('done');
      },
    },
  });
  const ada = await PlainClient.join(stage.hub, {
    capabilities: { elicitation: { url: {} } },
    onRequest: () => ({ action: 'accept' }),
  });
  const sessionId = await ada.begin(stage.workspace);
  const other = await PlainClient.join(stage.hub);
  await other.load(sessionId, stage.workspace);

  await ada.prompt(sessionId, 'go');

  await expect.poll(() => other.said, soon).toEqual(['user: go', 'agent: done']);
  expect(ada.notices).toMatchObject([{ method: 'elicitation/complete', params: { elicitationId } }]);
  expect(other.notices).toEqual([]);
});

test('loading a session with another folder is rejected, and the error names its folder', async () => {
  const stage = await openHub();
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const below = path.join(stage.workspace, 'below');
  await mkdir(below);

  // ACP v1, Session Setup: the `cwd` is where a session works, and not the folder of the agent's process. A session of the hub works where it
  // was begun; to follow the client into another folder would be another session, so that -32602 is the answer.
  for (const method of ['session/load', 'session/resume']) {
    await expect(ada.ask(method, { sessionId, cwd: below, mcpServers: [] })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(JSON.stringify(stage.workspace)),
    });
  }
  await ada.load(sessionId, path.join(below, '..'));
});

test('params that are nested too deeply are refused, and nothing is begun', async () => {
  const stage = await openHub({ agent: { turn: ({ say }) => say('hello') } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const prompt = [{ type: 'text', text: 'go' }];
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

  await expect(
    ada.ask('session/prompt', { sessionId, prompt, _meta: { deep: nested(100) } }),
  ).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('100 levels') as string });
  expect(stage.prompts).toEqual([]);

  expect(await ada.ask('session/prompt', { sessionId, prompt, _meta: { deep: nested(90) } })).toEqual({
    stopReason: 'end_turn',
  });
});

test('authenticate restarts an idle agent with its session', async () => {
  const stage = await openHub({
    agent: {
      authMethods: [{ id: 'login', name: 'Log in' }],
      turn: ({ say }) => say('hello'),
    },
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  await ada.prompt(sessionId, 'one');
  const session = Hub.sessionsOf(stage.hub).found(sessionId);
  const before = session?.run;
  expect(before).toBeDefined();

  await ada.ask('authenticate', { methodId: 'login' });

  expect(session?.run).toBeUndefined();
  expect(await ada.prompt(sessionId, 'two')).toEqual({ stopReason: 'end_turn' });
  expect(session?.run).not.toBe(before);
});

test("initialize waits for the agent's first probe, and returns its capabilities", async () => {
  let starts = 0;
  const stage = await openHub({
    agent: { capabilities: { promptCapabilities: { image: true } }, onStart: () => (starts += 1) },
    limits: { offerMs: 60_000 },
  });

  const ada = await PlainClient.join(stage.hub);

  expect(ada.initialized['agentCapabilities']).toMatchObject({ promptCapabilities: { image: true } });
  expect(ada.initialized['agentCapabilities']).not.toHaveProperty('promptCapabilities.audio');
  await PlainClient.join(stage.hub);
  expect(starts).toBe(1);
});

test('initialize does not wait longer than its limit for an unresponsive agent', async () => {
  const spec: AgentSpec = {
    name: 'silent',
    reach: { by: 'transport', connect: () => memoryPair()[0] },
  };
  const stage = await openHub({
    agents: [{ name: 'silent', place: 'configured', spec }],
    defaultAgent: 'silent',
    limits: { offerMs: 20 },
  });

  const ada = await PlainClient.join(stage.hub);

  expect(ada.initialized['agentCapabilities']).toMatchObject({ promptCapabilities: { audio: true } });
});

test("a plain client's turn ends if its agent requires sign-in", async () => {
  const stage = await openHub({
    agent: {
      authMethods: [{ id: 'login', name: 'Log in' }],
      turn: () => {
        throw authRequired();
      },
    },
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);

  await expect(ada.prompt(sessionId, 'go')).rejects.toMatchObject({ code: -32000 });
});

test('a client that answers only in watched sessions does not delay others', async () => {
  const stage = await openHub({ agent: { turn: askFirst } });
  const page = await stage.join();
  const [watched, other] = [await page.start(), await page.start()];
  await page.close();
  const terminal = await PlainClient.join(stage.hub);
  await terminal.ask(hubMethods.attend, { answers: 'watched' });
  await terminal.ask(hubMethods.watch, { sessionId: watched });
  const unattended = { _meta: { 'parley/unattended': true } };

  await terminal.prompt(other, 'go', unattended);
  terminal.prompt(watched, 'go', unattended).catch(() => undefined);

  await expect.poll(() => stage.hub.questions, soon).toBe(1);
  expect(stage.events.filter(({ type }) => type === 'permission')).toMatchObject([
    { decision: 'no', by: 'nobody' },
  ]);
});

test('a prompt of a plain client runs before paused prompts', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ say, text, signal }) => {
        await say(text);
        if (text !== 'long') return;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    },
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const page = await stage.join();
  const long = ada.prompt(sessionId, 'long');
  await expect.poll(() => ada.said, soon).toEqual(['agent: long']);
  page.prompt(sessionId, 'held').catch(() => undefined);
  await page.until(() => page.sessions.get(sessionId)?.queue.length === 1);
  await page.ask(hubMethods.cancel, { sessionId });
  await long;
  await page.until(() => page.sessions.get(sessionId)?.isQueueHeld === true);

  expect(await ada.prompt(sessionId, 'now')).toEqual({ stopReason: 'end_turn' });
  expect(ada.said).toEqual(['agent: long', 'agent: now']);
  expect(page.sessions.get(sessionId)).toMatchObject({ isQueueHeld: true, queue: [{}] });
});

test('an observe client loads and follows sessions, and is never asked', async () => {
  const stage = await openHub({ agent: { turn: askFirst } });
  const ada = await PlainClient.join(stage.hub, { onRequest: () => allow });
  const sessionId = await ada.begin(stage.workspace);
  const eve = await PlainClient.join(stage.hub, { token: 'eve', scope: 'observe' });
  await eve.load(sessionId, stage.workspace);

  await ada.prompt(sessionId, 'go');

  await expect.poll(() => eve.said, soon).toEqual(['user: go', 'agent: yes']);
  expect(eve.asked).toEqual([]);
  await expect(eve.prompt(sessionId, 'go')).rejects.toMatchObject({ code: -32600 });
});

test('an option set by another client arrives as an update', async () => {
  const offers = {
    modes: {
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code' },
      ],
    },
  };
  const stage = await openHub({ agent: { offers } });
  const ada = await PlainClient.join(stage.hub);
  const opened = await ada.ask('session/new', { cwd: stage.workspace, mcpServers: [] });
  expect(opened).toMatchObject(offers);
  const sessionId = String(toFields(opened)['sessionId']);
  const eve = await PlainClient.join(stage.hub);
  expect(await eve.load(sessionId, stage.workspace)).toMatchObject(offers);

  expect(await ada.ask('session/set_mode', { sessionId, modeId: 'code' })).toEqual({});

  await expect
    .poll(() => eve.updates, soon)
    .toEqual([{ sessionId, update: { sessionUpdate: 'current_mode_update', currentModeId: 'code' } }]);
  const late = await PlainClient.join(stage.hub);
  expect(await late.load(sessionId, stage.workspace)).toMatchObject({ modes: { currentModeId: 'code' } });
});

test('session/cancel that is sent as a request cancels the turn, and is answered', async () => {
  const stage = await openHub({
    agent: {
      turn: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
        }),
    },
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const prompted = ada.prompt(sessionId, 'go');
  await expect.poll(() => stage.prompts, soon).toHaveLength(1);

  expect(await ada.ask('session/cancel', { sessionId })).toEqual({});
  expect(await prompted).toEqual({ stopReason: 'cancelled' });
  const observer = await PlainClient.join(stage.hub, { token: 'eve', scope: 'observe' });
  await expect(observer.ask('session/cancel', { sessionId })).rejects.toMatchObject({ code: -32600 });
});

test('session/cancel of any client cancels the turn', async () => {
  const stage = await openHub({
    agent: {
      turn: async ({ say, signal }) => {
        await say('begun');
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
      },
    },
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const eve = await PlainClient.join(stage.hub);
  await eve.load(sessionId, stage.workspace);
  const prompted = ada.prompt(sessionId, 'go');
  await expect.poll(() => eve.said, soon).toEqual(['user: go', 'agent: begun']);

  await eve.connection.notify('session/cancel', { sessionId });

  expect(await prompted).toEqual({ stopReason: 'cancelled' });
});

test('session/close ends the session of the agent; the conversation can be loaded', async () => {
  const capabilities = { sessionCapabilities: { close: {} } };
  const stage = await openHub({ agent: { capabilities, turn: ({ say }) => say('hello') } });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  await ada.prompt(sessionId, 'one');

  await ada.ask('session/close', { sessionId });

  expect(stage.requests).toContain('session/close');
  const eve = await PlainClient.join(stage.hub);
  await eve.load(sessionId, stage.workspace);
  expect(eve.said).toEqual(['user: one', 'agent: hello']);
  await eve.ask('session/delete', { sessionId });
  await expect(eve.load(sessionId, stage.workspace)).rejects.toMatchObject({
    code: -32002,
    data: { sessionId },
  });
});

test('session/list has the sessions of all clients, by folder and page by page', async () => {
  const stage = await openHub();
  const inner = path.join(stage.workspace, 'inner');
  await mkdir(inner);
  const ada = await PlainClient.join(stage.hub);
  const page = await stage.join();
  const byPage = await page.start();
  const byEditor = await ada.begin(inner);

  const { sessions } = toFields(await ada.ask('session/list', {}));
  expect(sessions).toMatchObject([
    { sessionId: byEditor, cwd: inner, updatedAt: expect.stringMatching(/^\d{4}-.*Z$/u) as string },
    { sessionId: byPage, cwd: stage.workspace },
  ]);
  expect(await ada.ask('session/list', { cwd: stage.workspace })).toMatchObject({
    sessions: [{ sessionId: byPage }],
  });
  await expect(ada.ask('session/list', { cursor: 'x' })).rejects.toMatchObject({ code: -32602 });
});

test('a session cannot be opened in another folder than its own', async () => {
  const stage = await openHub();
  const inner = path.join(stage.workspace, 'inner');
  await mkdir(inner);
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);

  await expect(ada.load(sessionId, inner)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(new RegExp(`${stage.workspace}.*${inner}`, 'u')) as string,
  });
});

test("initialize announces the hub's capabilities and methods", async () => {
  const { hub } = await openHub();
  const { initialized } = await PlainClient.join(hub);

  expect(initialized).toMatchObject({
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        fork: {},
        additionalDirectories: {},
      },
      _meta: { parley: { attend: true, watch: true, answer: true } },
    },
  });
});

test('fs and terminals are served by the client that created the session, while it is connected', async () => {
  const stage = await openHub({
    policyFor: () => ({ approve: { level: 'all', given: true }, rules: [] }),
    agent: {
      turn: async ({ client, request: { sessionId }, say }) => {
        const file = path.join(stage.workspace, 'a.txt');
        const { content } = await client.request('fs/read_text_file', { sessionId, path: file });
        await client.request('fs/write_text_file', { sessionId, path: file, content: `${content}!` });
        const { terminalId } = await client.request('terminal/create', {
          sessionId,
          command: 'echo',
          args: ['from', 'the', 'hub'],
        });
        await client.request('terminal/wait_for_exit', { sessionId, terminalId });
        const { output } = await client.request('terminal/output', { sessionId, terminalId });
        await client.request('terminal/release', { sessionId, terminalId });
        await say(`${content} ${output.trim()}`);
      },
    },
  });
  const file = path.join(stage.workspace, 'a.txt');
  await writeFile(file, 'on disk');
  const written: unknown[] = [];
  const editor = await PlainClient.join(stage.hub, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    onRequest: (method, { path: asked, content }) => {
      switch (method) {
        case 'fs/read_text_file':
          return { content: 'in the editor' };
        case 'fs/write_text_file':
          written.push({ asked, content });
          return {};
        case 'terminal/create':
          return { terminalId: 't1' };
        case 'terminal/wait_for_exit':
          return { exitCode: 0 };
        case 'terminal/output':
          return { output: 'from the editor', truncated: false };
        default:
          return {};
      }
    },
  });
  const sessionId = await editor.begin(stage.workspace);
  const other = await PlainClient.join(stage.hub, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  });
  await other.load(sessionId, stage.workspace);

  await other.prompt(sessionId, 'go');
  expect(other.said.at(-1)).toBe('agent: in the editor from the editor');
  expect(other.asked).toEqual([]);
  expect(written).toEqual([{ asked: file, content: 'in the editor!' }]);
  expect(editor.asked.every(({ params }) => params['sessionId'] === sessionId)).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('on disk');

  await editor.connection.close();
  await expect.poll(() => stage.hub.clients, soon).toBe(1);
  await other.prompt(sessionId, 'go');
  expect(other.said.at(-1)).toBe('agent: on disk from the hub');
  expect(await readFile(file, 'utf8')).toBe('on disk!');
});

test('a deny rule applies to files that a client serves', async () => {
  const failures: unknown[] = [];
  const stage = await openHub({
    policyFor: () => ({
      approve: { level: 'all', given: false },
      rules: [{ tool: 'read', path: '**/*.pem', decision: 'deny' }],
    }),
    agent: {
      turn: async ({ client, request: { sessionId } }) => {
        for (const name of ['key.pem', '../outside.txt']) {
          await client
            .request('fs/read_text_file', { sessionId, path: path.join(stage.workspace, name) })
            .catch((error: unknown) => failures.push(error));
        }
      },
    },
  });
  const editor = await PlainClient.join(stage.hub, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    onRequest: () => ({ content: 'secret' }),
  });
  const sessionId = await editor.begin(stage.workspace);
  await editor.prompt(sessionId, 'go');

  expect(failures).toHaveLength(2);
  expect(editor.asked).toEqual([]);
});

test('a new session uses the agent in the URL, and only allowed MCP servers', async () => {
  const opened: unknown[] = [];
  const stage = await openHub({
    mcpHosts: ['localhost:3001'],
    agent: {
      capabilities: { mcpCapabilities: { http: true } },
      onSession: (params) => opened.push(params),
    },
  });
  const ada = await PlainClient.join(stage.hub, { token: 'app', scope: 'use', agent: 'scripted' });
  const server = { type: 'http', name: 'a', url: 'http://localhost:3001/mcp', headers: [] };
  await ada.begin(stage.workspace, { mcpServers: [server], _meta: { vendor: { fast: true } } });

  expect(opened).toMatchObject([{ mcpServers: [server], _meta: { vendor: { fast: true } } }]);
  const elsewhere = { ...server, url: 'http://127.0.0.1:9/' };
  await expect(ada.begin(stage.workspace, { mcpServers: [elsewhere] })).rejects.toMatchObject({
    code: -32602,
  });
  await expect(ada.begin(await folder())).rejects.toMatchObject({ code: -32602 });
  expect(opened).toHaveLength(1);
});

test.each([
  ['characters of a byte', 'x', 1_000_000],
  // In characters it would be less than the limit.
  ['characters of three bytes', '€', 20_000_000],
])(
  'a client that leaves too much unread is disconnected, and delays no other client: %s',
  async (_of, letter, unreadBytes) => {
    const piece = letter.repeat(10_000);
    const dropped: unknown[] = [];
    const stage = await openHub({
      onDropped: (client, reason) => dropped.push({ client, reason }),
      limits: { unreadBytes },
      agent: {
        turn: async ({ say }) => {
          for (let index = 0; index < 1500; index += 1) await say(piece);
        },
      },
    });
    const ada = await PlainClient.join(stage.hub);
    const sessionId = await ada.begin(stage.workspace);
    const never = new Promise<void>(() => {});
    const slow = await PlainClient.join(stage.hub, { reads: never });
    await slow.load(sessionId, stage.workspace);

    expect(await ada.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });

    expect(ada.said).toHaveLength(1500);
    await expect.poll(() => stage.hub.clients, soon).toBe(1);
    expect(dropped).toEqual([
      {
        client: { person: 'ada', client: { name: 'editor' } },
        reason: `the client left more than ${String(unreadBytes)} bytes unread`,
      },
    ]);
    expect(stage.faults).toEqual([]);
  },
);

test('no client is asked about calls that a rule denies', async () => {
  const stage = await openHub({
    policyFor: () => ({
      approve: { level: 'ask', given: false },
      rules: [{ tool: 'execute', command: 'make', decision: 'deny' }],
    }),
    agent: { turn: askFirst },
  });
  const ada = await PlainClient.join(stage.hub, { onRequest: () => allow });
  const sessionId = await ada.begin(stage.workspace);

  await ada.prompt(sessionId, 'go');

  expect(ada.said.at(-1)).toBe('agent: no');
  expect(ada.asked).toEqual([]);
});

test('closing a session without an agent ends its followers', async () => {
  const stage = await openHub();
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  await Hub.sessionsOf(stage.hub).found(sessionId)?.stop();
  const page = await stage.join();
  await page.watch(sessionId);

  await ada.ask('session/close', { sessionId });

  const ended = (): boolean => page.events(sessionId).some(isClosing);
  await page.until(ended);
  await expect(ada.ask('session/close', { sessionId: 'missing' })).rejects.toMatchObject({ code: -32002 });
});

function isClosing(event: unknown): boolean {
  const { type, reason } = toFields(event);
  return type === 'session-end' && reason === 'closed';
}
