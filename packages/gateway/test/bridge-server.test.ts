import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createAapServer,
  memoryStore,
  type AapServer,
  type Run,
  type RunEnd,
  type ServedAgent,
  type AapSessionStore,
} from '@parley/aap/server';
import type { NewSessionRequest } from '@parley/acp';
import { createLimitedPool } from '@parley/host';
import { expect, onTestFinished, test } from 'vitest';
import { createToolEndpoints } from '../src/index.ts';
import { bridge } from './bridge.ts';
import { call, callUpdate, folder, yesOrNo, type ScriptedTurn } from './scripted-agent.ts';
import { heldCalls, send } from './send.ts';

function serve(
  bridged: { readonly agent: ServedAgent },
  store: AapSessionStore = memoryStore(),
  announcedMs = 1,
): AapServer {
  const server = createAapServer([bridged.agent], { store, limits: { quietMs: 1, announcedMs } });
  onTestFinished(() => server.close({ graceMs: 0 }));
  return server;
}

const tools = [{ name: 'execute' }, { name: 'edit' }, { name: 'read', trust: true }];
const weather = { name: 'weather', description: 'The weather.', parameters: { type: 'object' } };
const user = (content: string): object => ({ role: 'user', content });

async function connect({ mcpServers }: NewSessionRequest): Promise<Client> {
  const [server] = mcpServers;
  if (server?.type !== 'http') throw new Error('no server over HTTP');
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  const client = new Client({ name: 'agent', version: '1' });
  onTestFinished(() => client.close());
  const url = new URL(server.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

/** Asks for a permission, and ends the call as it was decided. */
async function ask(
  turn: ScriptedTurn,
  toolCallId: string,
  kind: 'execute' | 'edit' | 'read',
): Promise<string> {
  const { client, update, request } = turn;
  await update(call(toolCallId, { kind, rawInput: { what: toolCallId } }));
  const { outcome } = await client.request('session/request_permission', {
    sessionId: request.sessionId,
    toolCall: { toolCallId },
    options: yesOrNo,
  });
  const decision = outcome.outcome === 'selected' ? outcome.optionId : 'cancelled';
  const isGranted = decision === 'yes';
  await update(
    callUpdate(toolCallId, { status: isGranted ? 'completed' : 'failed', rawOutput: `${toolCallId} done` }),
  );
  return decision;
}

test('two permissions and an application tool are requested together, answered, and the turn continues', async () => {
  let client: Promise<Client> | undefined;
  const endpoints = createToolEndpoints();
  onTestFinished(() => endpoints.close());
  const bridged = await bridge(
    {
      capabilities: { mcpCapabilities: { http: true } },
      onSession: (params) => {
        client = connect(params);
      },
      turn: async (turn) => {
        const mcp = await client;
        await turn.update(
          call('rain', { title: 'mcp__parley-app__weather', kind: 'other', rawInput: { city: 'Oslo' } }),
        );
        // Its answer says that what came before has been noted, too.
        await ask(turn, 'trusted', 'read');
        const all = await Promise.all([
          ask(turn, 'make', 'execute'),
          ask(turn, 'change', 'edit'),
          mcp?.callTool({ name: 'weather', arguments: { city: 'Oslo' } }),
        ]);
        await turn.say(
          JSON.stringify(all.map((answer) => (typeof answer === 'string' ? answer : answer?.content))),
        );
      },
    },
    { toolEndpoints: endpoints },
  );
  // The call over MCP was announced: the questions wait for it, however long it takes.
  const server = serve(bridged, memoryStore(), 60_000);
  const { sessionId } = await send(server, '/sessions', {
    agent: { name: 'scripted', tools },
    tools: [weather],
  });
  const path = `/sessions/${String(sessionId)}`;

  const first = await send(server, `${path}/turns`, { messages: [user('go')] });

  expect(first).toMatchObject({ stopReason: 'tool_use' });
  const messages = JSON.stringify(first['messages']);
  expect(messages).toContain('trusted done');
  const called = heldCalls(first['messages']);
  expect(new Map(called.map(({ name, input }) => [name, input]))).toEqual(
    new Map<string, unknown>([
      ['edit', { what: 'change' }],
      ['execute', { what: 'make' }],
      ['weather', { city: 'Oslo' }],
    ]),
  );

  const answers = called.map(({ toolCallId, name }) =>
    name === 'weather'
      ? { role: 'tool', toolCallId, content: 'Rain.' }
      : { role: 'tool_permission', toolCallId, granted: name === 'execute', reason: 'Not now.' },
  );
  const second = await send(server, `${path}/turns`, { messages: answers });

  expect(second).toMatchObject({ stopReason: 'end_turn' });
  const history = JSON.stringify(second['messages']);
  expect(history).toContain('make done');
  expect(history).toContain('Not now.');
  expect(history).not.toContain('change done');
  expect(history).toContain(String.raw`[\"yes\",\"no\",[{\"type\":\"text\",\"text\":\"Rain.\"}]]`);
});

test('a request from before a restart is answered after it, and executed once', async () => {
  const store = memoryStore();
  const done: string[] = [];
  const workspaces = [await folder()];
  const script = {
    capabilities: { loadSession: true },
    turn: async (turn: ScriptedTurn) => {
      if ((await ask(turn, `call-${done.length}`, 'execute')) === 'yes') done.push(turn.text);
    },
  };
  const before = await bridge(
    { ...script, turn: async (turn) => void (await ask(turn, 'call-1', 'execute')) },
    { workspaces },
  );
  const server = serve(before, store);
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
  const turns = `/sessions/${String(sessionId)}/turns`;
  const asked = await send(server, turns, { messages: [user('go')] });
  expect(asked).toMatchObject({ stopReason: 'tool_use' });
  await before.agent.close();

  const after = await bridge(
    {
      ...script,
      turn: async (turn) => {
        const { update, client, request } = turn;
        const toolCall = { toolCallId: 'again', kind: 'execute', rawInput: { what: 'call-1' } } as const;
        const { outcome } = await client.request('session/request_permission', {
          sessionId: request.sessionId,
          toolCall,
          options: yesOrNo,
        });
        done.push(outcome.outcome);
        await update(callUpdate('again', { status: 'completed', rawOutput: 'made' }));
      },
    },
    { workspaces },
  );
  const restarted = serve(after, store);
  const [heldCall] = heldCalls(asked['messages']);
  const answer = { role: 'tool_permission', toolCallId: heldCall?.toolCallId, granted: true };
  const answered = await send(restarted, turns, { messages: [answer] });
  const twice = await send(restarted, turns, { messages: [answer] });

  expect(answered).toMatchObject({ stopReason: 'end_turn', messages: [{ role: 'tool', content: 'made' }] });
  expect(done).toEqual(['selected']);
  expect(twice['status']).toBe(409);
  expect(after.requests).toEqual(['session/load', 'session/prompt']);
});

test('a message instead of an answer cancels the requests, and reaches the agent', async () => {
  const decisions: string[] = [];
  const bridged = await bridge({
    turn: async (turn) => {
      if (turn.text === 'go') decisions.push(await ask(turn, 'a', 'execute'));
      else await turn.say('Another thing, then.');
    },
  });
  const server = serve(bridged);
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
  const turns = `/sessions/${String(sessionId)}/turns`;
  await send(server, turns, { messages: [user('go')] });

  const next = await send(server, turns, { messages: [user('something else')] });

  expect(next).toMatchObject({ stopReason: 'end_turn' });
  expect(decisions).toEqual(['cancelled']);
  const { history } = await send(server, `/sessions/${String(sessionId)}/history?type=full`);
  expect(JSON.stringify(history)).toMatch(/superseded.*Another thing, then/);
});

test('a disabled tool is denied, and shown as denied', async () => {
  const decisions: string[] = [];
  const bridged = await bridge({
    turn: async (turn) => {
      decisions.push(await ask(turn, 'a', 'edit'));
    },
  });
  const server = serve(bridged);
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted' } });

  const turn = await send(server, `/sessions/${String(sessionId)}/turns`, { messages: [user('go')] });

  expect(decisions).toEqual(['no']);
  expect(turn).toMatchObject({
    stopReason: 'end_turn',
    messages: [{ role: 'assistant' }, { role: 'tool', toolCallId: 'a' }],
  });
});

test('the answer to a question of an agent that died is sent to the next agent', async () => {
  let kill = (): Promise<unknown> => Promise.resolve();
  const runs: Promise<unknown>[] = [];
  const bridged = await bridge({
    capabilities: { loadSession: true },
    turn: async (turn) => {
      kill = turn.die;
      if (turn.text === 'go') await ask(turn, 'a', 'execute');
      else await turn.say('I know.');
    },
  });
  const { agent } = bridged;
  const run = (started: Run): Promise<RunEnd> => {
    const end = agent.run(started);
    runs.push(end);
    return end;
  };
  const server = serve({ agent: { info: agent.info, run } });
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
  const turns = `/sessions/${String(sessionId)}/turns`;
  await send(server, turns, { messages: [user('go')] });
  void kill();
  await Promise.all(runs);

  const answer = { role: 'tool_permission', toolCallId: 'a', granted: false, reason: 'No.' };
  const turn = await send(server, turns, { messages: [answer] });

  expect(turn).toMatchObject({ status: 200, stopReason: 'end_turn' });
  expect(JSON.stringify(turn['messages'])).toContain('I know.');
  expect(bridged.prompts.at(-1)?.prompt).toMatchObject([{ text: expect.stringContaining('No.') }]);
});

test('a permission takes the offered choice that it names, and no other', async () => {
  const decisions: unknown[] = [];
  const options = (['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const).map((kind) => ({
    optionId: `id-${kind}`,
    name: kind,
    kind,
  }));
  const bridged = await bridge({
    turn: async ({ update, client, request: { sessionId }, text }) => {
      await update(call(text, { kind: 'execute', rawInput: { command: 'make' } }));
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: text },
        options,
      });
      decisions.push(outcome);
    },
  });
  const server = serve(bridged);
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
  const turns = `/sessions/${String(sessionId)}/turns`;
  const answer = async (toolCallId: string, granted: boolean, optionId: string): Promise<unknown> =>
    send(server, turns, { messages: [{ role: 'tool_permission', toolCallId, granted, optionId }] });

  await send(server, turns, { messages: [user('a')] });
  expect(await answer('a', true, 'id-other')).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await answer('a', true, 'id-reject_once')).toMatchObject({ status: 400 });
  expect(await answer('a', false, 'id-allow_once')).toMatchObject({ status: 400 });
  expect(await answer('a', true, 'id-allow_always')).toMatchObject({ status: 200 });
  await send(server, turns, { messages: [user('b')] });
  expect(await answer('b', false, 'id-reject_always')).toMatchObject({ status: 200 });

  expect(decisions).toMatchObject([{ optionId: 'id-allow_always' }, { optionId: 'id-reject_always' }]);
});

test('a session that waits for its application makes room for another, and continues when it is answered', async () => {
  const pool = createLimitedPool({ places: 1, waiting: 5, idleMs: 60_000, pausedMs: 1 });
  const bridged = await bridge(
    {
      capabilities: { sessionCapabilities: { resume: {} } },
      turn: async (turn) => {
        if (turn.text === 'ask') await ask(turn, 'a', 'execute');
        else await turn.say(`Heard: ${turn.text}`);
      },
    },
    { pool },
  );
  const server = serve(bridged);
  const open = async (): Promise<string> => {
    const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
    return `/sessions/${String(sessionId)}/turns`;
  };
  const [first, second] = [await open(), await open()];
  expect(await send(server, first, { messages: [user('ask')] })).toMatchObject({ stopReason: 'tool_use' });

  const other = await send(server, second, { messages: [user('hello')] });

  expect(other).toMatchObject({ stopReason: 'end_turn' });
  expect(JSON.stringify(other['messages'])).toContain('Heard: hello');
  expect(pool).toMatchObject({ taken: 1, idle: 1 });
  const answer = { role: 'tool_permission', toolCallId: 'a', granted: false, reason: 'Not now.' };
  const gone = await send(server, first, { messages: [answer] });
  expect(gone).toMatchObject({ status: 200, stopReason: 'end_turn' });
  expect(JSON.stringify(gone['messages'])).toMatch(/Heard: .*Not now/);
  expect(bridged.requests.filter((method) => method !== 'session/prompt')).toEqual([
    'session/new',
    'session/new',
    'session/resume',
  ]);
});

test('a session whose agent could not continue keeps its slot, and a waiting session is notified and times out', async () => {
  const pool = createLimitedPool({ places: 1, waiting: 5, idleMs: 60_000, pausedMs: 1, waitMs: 100 });
  const decisions: string[] = [];
  const bridged = await bridge(
    { turn: async (turn) => void decisions.push(await ask(turn, 'a', 'execute')) },
    { pool },
  );
  const server = serve(bridged);
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
  const turns = `/sessions/${String(sessionId)}/turns`;
  await send(server, turns, { messages: [user('go')] });

  const another = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
  const response = await server.handle(
    new Request(`http://localhost/sessions/${String(another['sessionId'])}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ stream: 'delta', messages: [user('go')] }),
    }),
  );
  const events = await response.text();

  expect(events).toMatch(/event: notice\ndata: .*All agent processes are in use/);
  expect(events).toMatch(/event: turn_stop\ndata: .*"error".*"overloaded"/);
  expect(pool).toMatchObject({ taken: 1, waiting: 0 });
  const answer = { role: 'tool_permission', toolCallId: 'a', granted: true };
  expect(await send(server, turns, { messages: [answer] })).toMatchObject({ stopReason: 'end_turn' });
  expect(decisions).toEqual(['yes']);
});

test('a session that was answered in time, or with no other session waiting, keeps its agent', async () => {
  const pool = createLimitedPool({ places: 1, waiting: 5, idleMs: 60_000, pausedMs: 1 });
  const decisions: string[] = [];
  const bridged = await bridge(
    {
      capabilities: { loadSession: true },
      turn: async (turn) => void decisions.push(await ask(turn, 'a', 'execute')),
    },
    { pool },
  );
  const server = serve(bridged);
  const { sessionId } = await send(server, '/sessions', { agent: { name: 'scripted', tools } });
  const turns = `/sessions/${String(sessionId)}/turns`;
  await send(server, turns, { messages: [user('go')] });

  const answer = { role: 'tool_permission', toolCallId: 'a', granted: true };
  expect(await send(server, turns, { messages: [answer] })).toMatchObject({ stopReason: 'end_turn' });
  await send(server, turns, { messages: [user('go')] });
  const next = await send(server, turns, { messages: [user('go')] });

  expect(next).toMatchObject({ stopReason: 'tool_use' });
  expect(decisions).toEqual(['yes', 'cancelled']);
  expect(bridged.requests.filter((method) => method !== 'session/prompt')).toEqual(['session/new']);
  expect(pool.taken).toBe(1);
});
