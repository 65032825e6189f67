import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { authRequired } from '@parley/acp';
import { filesStore, SharedEventLogs, type AgentPool, type SlotUser } from '@parley/host';
import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import { bridge } from './bridge.ts';
import { fakeRun } from './fake-run.ts';
import { call, folder, yesOrNo } from './scripted-agent.ts';

const resumes = { sessionCapabilities: { resume: {} } };

const history = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'My name is Ada.' },
  { role: 'assistant', content: 'Hello Ada.' },
] as const;

test('an agent starts with the first run of a session, and stays for the next', async () => {
  const { agent, requests } = await bridge({ turn: ({ say, text }) => say(text) });
  expect(requests).toEqual([]);

  const first = fakeRun({ input: 'one' });
  await agent.run(first.run);
  const second = fakeRun({ input: 'two', state: first.state(), history });
  await agent.run(second.run);

  expect(requests).toEqual(['session/new', 'session/prompt', 'session/prompt']);
  expect(second.output).toEqual([['text', 'two']]);
  expect(agent.processes).toBe(1);
});

test('each session has its own agent', async () => {
  const { agent, requests } = await bridge({});

  await Promise.all([agent.run(fakeRun({ sessionId: 'a' }).run), agent.run(fakeRun({ sessionId: 'b' }).run)]);

  expect(requests.filter((method) => method === 'session/new')).toHaveLength(2);
  expect(agent.processes).toBe(2);
});

test.each([
  ['resumed', resumes, 'session/resume'],
  ['loaded, and its replay is not sent', { loadSession: true }, 'session/load'],
])('after a crash the session is %s', async (_how, capabilities, method) => {
  const { agent, requests, prompts } = await bridge({
    capabilities,
    turn: async ({ text, say, die, update }) => {
      if (text !== 'die') return say('here');
      await update(call('a', { status: 'in_progress', rawInput: { command: 'make' } }));
      return die();
    },
  });
  const first = fakeRun({ input: 'die' });

  expect(await agent.run(first.run)).toMatchObject({
    stopReason: 'error',
    error: {
      code: 'agent_exited',
      message: expect.stringContaining('outcome of its running work is unknown'),
    },
  });
  expect(first.of('result')).toMatchObject([
    ['result', 'a', expect.stringContaining('its result, are unknown'), {}],
  ]);
  expect(agent.processes).toBe(0);

  const second = fakeRun({ input: 'again', state: first.state(), history });
  expect(await agent.run(second.run)).toEqual({ stopReason: 'end_turn' });

  expect(requests).toEqual(['session/new', 'session/prompt', method, 'session/prompt']);
  expect(prompts.at(-1)).toMatchObject({ sessionId: 'session-1', prompt: [{ text: 'again' }] });
  expect(second.output).toEqual([['text', 'here']]);
});

test('an agent that stores nothing gets a new session, and receives the conversation', async () => {
  const { agent, prompts } = await bridge({
    turn: ({ text, die }) => (text === 'die' ? die() : undefined),
  });
  const first = fakeRun({ input: 'die' });
  await agent.run(first.run);

  await agent.run(fakeRun({ input: 'again', state: first.state(), history }).run);

  const [before, message] = prompts.at(-1)?.prompt ?? [];
  expect(prompts.at(-1)?.sessionId).toBe('session-2');
  expect(before).toMatchObject({ type: 'text', text: expect.stringContaining('**User:** My name is Ada.') });
  expect(message).toEqual({ type: 'text', text: 'again' });
});

test('an earlier conversation is sent once, as a resource where the agent accepts resources', async () => {
  const { agent, prompts } = await bridge({
    capabilities: { promptCapabilities: { embeddedContext: true } },
  });
  const first = fakeRun({ input: 'one', history });

  await agent.run(first.run);
  await agent.run(fakeRun({ input: 'two', history, state: first.state() }).run);

  expect(prompts.map(({ prompt }) => prompt)).toMatchObject([
    [
      { type: 'text', text: expect.stringContaining('earlier conversation') },
      { type: 'resource', resource: { text: expect.stringContaining('## Instructions\n\nBe brief.') } },
      { type: 'text', text: 'one' },
    ],
    [{ type: 'text', text: 'two' }],
  ]);
});

test('an agent that failed before it received the conversation receives it the next time', async () => {
  let isSick = true;
  const { agent, prompts } = await bridge({
    onRequest: (method) => {
      if (isSick && method === 'session/prompt') throw new RpcError(-32603, 'sick');
    },
  });
  const first = fakeRun({ input: 'one', history });
  await agent.run(first.run);
  isSick = false;

  await agent.run(fakeRun({ input: 'two', history, state: first.state() }).run);

  expect(prompts).toMatchObject([
    { prompt: [{ text: expect.stringContaining('My name is Ada') }, { text: 'two' }] },
  ]);
});

test('images are passed on unchanged', async () => {
  const { agent, prompts } = await bridge({ capabilities: { promptCapabilities: { image: true } } });
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image', url: 'data:image/png;base64,AAAA' },
  ] as const;

  await agent.run(fakeRun({ input: { role: 'user', content } }).run);

  expect(prompts[0]?.prompt).toEqual([
    { type: 'text', text: 'What is this?' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ]);
});

test('a decision made while the agent was not running is sent to it, and a grant applies once', async () => {
  const { agent, prompts } = await bridge({
    capabilities: resumes,
    turn: async ({ client, update, request: { sessionId } }) => {
      for (const toolCallId of ['x', 'y']) {
        await client.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId, kind: 'execute', rawInput: { command: 'make' } },
          options: yesOrNo,
        });
        await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput: 'ok' });
      }
    },
  });
  const granted = { toolCallId: 'a', name: 'execute', input: { command: 'make' } };
  const answers = [
    { call: granted, kind: 'granted' },
    {
      call: { toolCallId: 'b', name: 'edit', input: { path: '/x' } },
      kind: 'denied',
      reason: 'Not that file.',
    },
    { call: { toolCallId: 'c', name: 'weather', input: { city: 'Oslo' } }, kind: 'result', content: 'Rain.' },
  ] as const;
  const cwd = await folder();
  const { run, output } = fakeRun({
    input: { role: 'answers', answers },
    state: { agentSession: 'kept', cwd, isInformed: true },
    options: {},
    permission: () => ({ granted: false, by: 'application' }),
  });

  await agent.run(run);

  expect(output).toMatchObject([
    ['result', 'a', 'ok', {}],
    ['permission', { toolCallId: 'y' }, {}],
  ]);
  const words = JSON.stringify(prompts[0]?.prompt);
  expect(words).toContain('Not that file.');
  expect(words).toContain('Rain.');
});

test('an approval that the agent does not use gets a result that says so', async () => {
  const { agent } = await bridge({});
  const call_ = { toolCallId: 'a', name: 'execute', input: { command: 'make' } };
  const { run, output } = fakeRun({
    input: { role: 'answers', answers: [{ call: call_, kind: 'granted' }] },
  });

  await agent.run(run);

  expect(output).toMatchObject([['result', 'a', expect.stringContaining('did not make'), { isError: true }]]);
});

test('a run that begins while the agent is slow to end a cancelled one follows it', async () => {
  const cancelled = new AbortController();
  let begin = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end = (): void => undefined;
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { agent, requests } = await bridge({
    turn: async ({ text, say }) => {
      if (text !== 'slow') return say(text);
      begin();
      await mayEnd;
      return { stopReason: 'cancelled' };
    },
  });
  const slow = agent.run(fakeRun({ input: 'slow', signal: cancelled.signal }).run);
  await hasBegun;
  cancelled.abort('cancelled');
  const next = fakeRun({ input: 'next', turnId: 'turn-2' });

  const ended = agent.run(next.run);
  end();

  expect(await slow).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
  expect(await ended).toEqual({ stopReason: 'end_turn' });
  expect(next.output).toEqual([['text', 'next']]);
  expect(requests).toEqual(['session/new', 'session/prompt', 'session/prompt']);
});

test('a run that is cancelled while it waits for another to end is not sent to the agent', async () => {
  const cancelled = new AbortController();
  let begin = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end = (): void => undefined;
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { agent, prompts } = await bridge({
    turn: async ({ signal }) => {
      begin();
      signal.addEventListener('abort', () => cancelled.abort('cancelled'));
      await mayEnd;
      return { stopReason: 'cancelled' };
    },
  });
  const first = agent.run(fakeRun().run);
  await hasBegun;

  const second = agent.run(fakeRun({ turnId: 'turn-2', signal: cancelled.signal }).run);

  expect(await second).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
  end();
  expect(await first).toMatchObject({ stopReason: 'error', detail: 'cancelled' });
  expect(prompts).toHaveLength(1);
});

test("an agent that rejects the application's key reports a code and the reason", async () => {
  const { agent } = await bridge(
    {
      authMethods: [{ id: 'agent-key', name: 'With a key' }],
      onRequest: (method) => {
        if (method === 'authenticate agent-key') throw new RpcError(-32603, 'no such key');
        if (method === 'session/new') throw authRequired('sign in first');
      },
    },
    { options: [{ type: 'secret', name: 'key', env: 'AGENT_KEY', default: '' }] },
  );

  expect(await agent.run(fakeRun({ options: { key: 'sesame' } }).run)).toMatchObject({
    error: { code: 'agent_auth_required', message: expect.stringContaining('no such key') },
  });
});

test('an agent that requires sign-in reports a code', async () => {
  const { agent } = await bridge({
    onRequest: (method) => {
      if (method === 'session/new') throw authRequired('sign in first');
    },
  });

  expect(await agent.run(fakeRun().run)).toMatchObject({
    stopReason: 'error',
    error: { code: 'agent_auth_required' },
  });
});

test('an agent with a sign-in variable is signed in, and the session is opened again', async () => {
  let isSignedIn = false;
  const { agent, requests } = await bridge(
    {
      authMethods: [
        { id: 'browser', name: 'With a browser' },
        { id: 'agent-key', name: 'With a key' },
      ],
      onRequest: (method) => {
        if (method === 'authenticate agent-key') isSignedIn = true;
        if (method === 'session/new' && !isSignedIn) throw authRequired('sign in first');
      },
    },
    { options: [{ type: 'secret', name: 'key', env: 'AGENT_KEY', default: '' }] },
  );

  const end = await agent.run(fakeRun({ options: { key: 'sesame' } }).run);

  expect(end).toEqual({ stopReason: 'end_turn' });
  expect(requests).toEqual(['session/new', 'authenticate agent-key', 'session/new', 'session/prompt']);
});

test('an agent that does not start ends the run with the reason, and frees its slot', async () => {
  const released: string[] = [];
  const { agent } = await bridge(
    {
      onStart: () => {
        throw new Error('no such program');
      },
    },
    { pool: countingPool(released) },
  );

  expect(await agent.run(fakeRun().run)).toMatchObject({
    stopReason: 'error',
    error: { message: expect.stringContaining('no such program') },
  });
  expect(released).toEqual(['app-session']);
});

/** A pool with room for each session, which remembers the released slots. */
function countingPool(released: string[], tenants: SlotUser[] = []): AgentPool {
  return {
    acquire: (tenant) => {
      tenants.push(tenant);
      let isIdle = false;
      return Promise.resolve({
        idle: () => {
          isIdle = true;
        },
        use: () => {
          const was = isIdle;
          isIdle = false;
          return was;
        },
        pause: () => {},
        release: () => void released.push(tenant.sessionId),
      });
    },
  };
}

test('an agent that was stopped to make room continues with the next run', async () => {
  const released: string[] = [];
  const tenants: SlotUser[] = [];
  const { agent, requests } = await bridge(
    { capabilities: resumes },
    { pool: countingPool(released, tenants) },
  );
  const first = fakeRun();
  await agent.run(first.run);

  await tenants[0]?.stop();
  expect(released).toEqual(['app-session']);
  expect(agent.processes).toBe(0);
  await agent.run(fakeRun({ state: first.state(), history }).run);

  expect(requests).toEqual(['session/new', 'session/prompt', 'session/resume', 'session/prompt']);
});

test('an agent that ends between two runs frees its slot', async () => {
  const released: string[] = [];
  let kill = (): Promise<unknown> => Promise.resolve();
  const { agent } = await bridge(
    {
      turn: ({ die }) => {
        kill = die;
      },
    },
    { pool: countingPool(released) },
  );
  await agent.run(fakeRun().run);

  void kill();

  await expect.poll(() => released).toEqual(['app-session']);
  expect(agent.processes).toBe(0);
});

test('an agent that ends while its prompt is stored ends the run like one that ends during it', async () => {
  let kill = (): Promise<unknown> => Promise.resolve();
  let isToBeKilled = false;
  const { agent, prompts } = await bridge(
    {
      turn: ({ die }) => {
        kill = die;
      },
    },
    {
      onEvent: (event) => {
        if (isToBeKilled && event.type === 'turn-start') void kill();
      },
    },
  );
  const first = fakeRun();
  await agent.run(first.run);
  isToBeKilled = true;

  const end = await agent.run(fakeRun({ state: first.state() }).run);

  expect(end).toMatchObject({ stopReason: 'error', error: { code: 'agent_exited' } });
  expect(prompts).toHaveLength(1);
});

test('a session that is deleted is deleted by the agent too, and its event log with it', async () => {
  const directory = await folder();
  const { agent, requests } = await bridge(
    { capabilities: { sessionCapabilities: { close: {}, delete: {} } } },
    { eventLogs: new SharedEventLogs({ store: filesStore(directory), program: 'test 1.0.0' }) },
  );
  await agent.run(fakeRun().run);

  await agent.forget('app-session');

  expect(requests.slice(2)).toEqual(['session/close', 'session/delete']);
  expect(await readdir(directory)).toEqual([]);
  expect(agent.processes).toBe(0);
});

test('consecutive agent sessions share one event log', async () => {
  const directory = await folder();
  const { agent } = await bridge(
    { turn: ({ text, die }) => (text === 'die' ? die() : undefined) },
    { eventLogs: new SharedEventLogs({ store: filesStore(directory), program: 'test 1.0.0' }) },
  );
  const first = fakeRun({ input: 'die' });
  await agent.run(first.run);
  const second = fakeRun({ input: 'again', state: first.state(), history });
  await agent.run(second.run);
  expect(await readdir(directory)).toEqual(['app-session']);

  await agent.forget('app-session');

  expect(await readdir(directory)).toEqual([]);
});

test('the event log of a session has its own id, and says that it was begun over AAP', async () => {
  const directory = await folder();
  const { agent } = await bridge(
    { turn: ({ say }) => say('hello') },
    { eventLogs: new SharedEventLogs({ store: filesStore(directory), program: 'test 1.0.0' }) },
  );
  await agent.run(fakeRun().run);

  await agent.close();

  expect(await filesStore(directory).list()).toMatchObject([
    { key: 'app-session', start: { agent: 'scripted', program: 'test 1.0.0', origin: 'aap' } },
  ]);
});

test('a session works only in an offered directory', async () => {
  const [one, two] = [await folder(), await folder()];
  const seen: unknown[] = [];
  const { agent } = await bridge(
    { onRequest: (method, params) => void (method === 'session/new' && seen.push(params)) },
    { workspaces: [one, two] },
  );
  expect(agent.info.options).toMatchObject([
    { type: 'select', name: 'cwd', options: [one, two], default: one },
  ]);

  await agent.run(fakeRun({ options: { cwd: two } }).run);
  const other = await agent.run(fakeRun({ sessionId: 'other', options: { cwd: '/' } }).run);

  expect(seen).toMatchObject([{ cwd: two }]);
  expect(other).toMatchObject({ error: { code: 'invalid_directory' } });
});

test('a session that is used again while its agent is ended is released again', async () => {
  const started: (() => void)[] = [];
  const { agent } = await bridge({
    turn: async ({ signal }) => {
      started.shift()?.();
      await once(signal, 'abort');
      return { stopReason: 'cancelled' };
    },
  });
  const begin = async (turnId: string): Promise<{ ended: Promise<unknown> }> => {
    const isStarted = new Promise<void>((resolve) => {
      started.push(resolve);
    });
    const ended = agent.run(fakeRun({ turnId }).run);
    await isStarted;
    return { ended };
  };
  const first = await begin('turn-1');

  const released = agent.release?.('app-session');
  const second = await begin('turn-2');
  await Promise.all([released, first.ended]);

  expect(agent.processes).toBe(1);
  await agent.release?.('app-session');
  expect(await second.ended).toMatchObject({ stopReason: 'error' });
  expect(agent.processes).toBe(0);
});

test('a session that is released before its first run has started an agent starts none', async () => {
  const { agent, requests } = await bridge({});

  const ended = agent.run(fakeRun().run);
  await agent.release?.('app-session');

  expect(await ended).toMatchObject({ stopReason: 'error' });
  expect(requests).toEqual([]);
  expect(agent.processes).toBe(0);
});
