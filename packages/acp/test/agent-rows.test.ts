import { RpcError } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import {
  createAgent,
  type Agent,
  type AgentHandlers,
  type AgentOptions,
  type ClientCapabilities,
  type PromptContext,
  type SessionUpdate,
} from '../src/index.ts';
import { careless, createDeferred, openRawClient, type Answers, type RawPeer } from './raw-peers.ts';

const info = { name: 'test-agent', version: '1.2.3' };
const text = { type: 'text', text: 'hello' } as const;
const chunk: SessionUpdate = { sessionUpdate: 'agent_message_chunk', content: text };

/** An agent whose sessions are called s1, s2, and so on, and whose turns follow their prompt. */
function createTestAgent(
  turn: (context: PromptContext) => ReturnType<AgentHandlers['session/prompt']>,
  options: Partial<Omit<AgentOptions, 'handlers'>> & { readonly handlers?: Partial<AgentHandlers> } = {},
): Agent {
  let last = 0;
  const { handlers, ...others } = options;
  return createAgent({
    info,
    ...others,
    handlers: {
      'session/new': () => ({ sessionId: `s${++last}` }),
      'session/prompt': (_params, context) => turn(context),
      ...handlers,
    },
  });
}

const idle = (): { stopReason: 'end_turn' } => ({ stopReason: 'end_turn' });

async function open(
  agent: Agent,
  answers: Answers = {},
  clientCapabilities: ClientCapabilities = {},
): Promise<RawPeer> {
  const raw = openRawClient(agent, answers);
  await raw.connection.request('initialize', { protocolVersion: 1, clientCapabilities });
  await raw.connection.request('session/new', { cwd: '/work', mcpServers: [] });
  return raw;
}

const prompt = { sessionId: 's1', prompt: [text] };

describe('paths', () => {
  test.each(['src', './src', 'C:src', ''])('A7 A38: the relative cwd %j is refused -32602', async (cwd) => {
    const { connection } = await open(createTestAgent(idle));
    const answer = connection.request('session/new', { cwd, mcpServers: [] });
    await expect(answer).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`cwd: expected an absolute path, got ${JSON.stringify(cwd)}`),
      data: { path: 'cwd', expected: 'an absolute path' },
    });
  });

  test.each(['/', '/work', 'C:\\work', 'c:/work', '\\\\server\\share'])(
    'A38: %s is absolute',
    async (cwd) => {
      const { connection } = await open(createTestAgent(idle));
      await expect(connection.request('session/new', { cwd, mcpServers: [] })).resolves.toEqual({
        sessionId: 's2',
      });
    },
  );

  test('A36: each additional directory must be absolute', async () => {
    const agent = createTestAgent(idle, {
      capabilities: { sessionCapabilities: { additionalDirectories: {} } },
    });
    const { connection } = await open(agent);
    const params = { cwd: '/', mcpServers: [], additionalDirectories: ['/a', 'b'] };
    await expect(connection.request('session/new', params)).rejects.toMatchObject({
      code: -32602,
      data: { path: 'additionalDirectories[1]' },
    });
  });

  test('A7: an agent cannot ask for a file by a relative path', async () => {
    const agent = createTestAgent(async ({ client, sessionId }) => {
      await client.request('fs/read_text_file', { sessionId, path: 'notes.txt' });
      return idle();
    });
    const { connection, received, diagnostics } = await open(agent, {}, { fs: { readTextFile: true } });
    await expect(connection.request('session/prompt', prompt)).rejects.toMatchObject({ code: -32603 });
    expect(received).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'handler-failed', error: { code: 'invalid-params', path: 'path' } },
    ]);
  });

  test.each<[string, SessionUpdate]>([
    [
      'update.content[1].path',
      {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'edit',
        content: [
          { type: 'content', content: text },
          { type: 'diff', path: 'a.ts', newText: '' },
        ],
      },
    ],
    [
      'update.locations[0].path',
      { sessionUpdate: 'tool_call_update', toolCallId: 't', locations: [{ path: '../a.ts' }] },
    ],
  ])('A64: an update with a relative path is not sent (%s)', async (path, update) => {
    const caught: unknown[] = [];
    const agent = createTestAgent(async (context) => {
      await context.update(update).catch((error: unknown) => caught.push(error));
      return idle();
    });
    const { connection, received } = await open(agent);
    await connection.request('session/prompt', prompt);
    expect(caught).toMatchObject([{ code: 'invalid-params', path }]);
    expect(received).toEqual([]);
  });

  test('A50: a listed session with a relative cwd is an internal error, not an answer', async () => {
    const agent = createTestAgent(idle, {
      capabilities: { sessionCapabilities: { list: {} } },
      handlers: { 'session/list': () => ({ sessions: [{ sessionId: 's1', cwd: 'work' }] }) },
    });
    const { connection, diagnostics } = await open(agent);
    await expect(connection.request('session/list', {})).rejects.toMatchObject({ code: -32603 });
    expect(diagnostics).toMatchObject([
      { code: 'handler-failed', error: { code: 'invalid-result', path: 'sessions[0].cwd' } },
    ]);
  });
});

describe('initialization', () => {
  test('A11 A15 A18: initialize returns version, agent information and capabilities', async () => {
    const { connection } = openRawClient(
      createTestAgent(idle, { capabilities: { promptCapabilities: { image: true } } }),
    );
    await expect(connection.request('initialize', { protocolVersion: 1 })).resolves.toEqual({
      protocolVersion: 1,
      agentInfo: info,
      agentCapabilities: { promptCapabilities: { image: true } },
      authMethods: [],
    });
  });

  test.each([1, 0, 2, 777, 65535])('A12 A13: for version %d it returns 1', async (protocolVersion) => {
    const { connection } = openRawClient(createTestAgent(idle));
    const answer = connection.request('initialize', { protocolVersion, clientCapabilities: {} });
    await expect(answer).resolves.toMatchObject({ protocolVersion: 1 });
  });

  test.each([
    ['fs/read_text_file', { path: '/a' }],
    ['fs/write_text_file', { path: '/a', content: '' }],
    ['terminal/create', { command: 'ls' }],
    ['elicitation/create', { mode: 'form', message: 'm', requestedSchema: {} }],
  ] as const)(
    'A16 A68-A71 A92: without the capability, %s is refused here and not sent',
    async (method, params) => {
      const caught: unknown[] = [];
      const agent = createTestAgent(async ({ client, sessionId }) => {
        await client.request(method, { sessionId, ...params }).catch((error: unknown) => caught.push(error));
        return idle();
      });
      const { connection, received } = await open(agent);
      await connection.request('session/prompt', prompt);
      expect(caught).toMatchObject([{ name: 'AcpError', code: 'not-supported', method }]);
      expect(received).toEqual([]);
    },
  );

  test('A19 A82: text and resource links are always accepted', async () => {
    const { connection } = await open(createTestAgent(idle));
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    const answer = connection.request('session/prompt', { sessionId: 's1', prompt: [text, link] });
    await expect(answer).resolves.toEqual({ stopReason: 'end_turn' });
  });

  test.each([
    [{ type: 'image', data: 'AA==', mimeType: 'image/png' }, 'promptCapabilities.image'],
    [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }, 'promptCapabilities.audio'],
    [{ type: 'resource', resource: { uri: 'a:b', text: '' } }, 'promptCapabilities.embeddedContext'],
    [{ type: 'hologram' }, 'a known type of content'],
  ])('A16: a prompt with %j is refused -32602, with its index and type', async (block, expected) => {
    const { connection } = await open(createTestAgent(idle));
    await expect(
      connection.request('session/prompt', { sessionId: 's1', prompt: [text, block] }),
    ).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`prompt\\[1\\]\\.type: expected .*got "${block.type}"`)),
      data: { path: 'prompt[1].type', expected: expect.stringContaining(expected) },
    });
  });

  test('A21: before initialize, other requests are rejected with -32600 and notifications ignored', async () => {
    const { connection, diagnostics } = openRawClient(createTestAgent(idle));
    await connection.notify('session/cancel', { sessionId: 's1' });
    for (const method of ['session/new', 'session/prompt', 'no/such', '_vendor/x']) {
      await expect(connection.request(method, {})).rejects.toMatchObject({ code: -32600 });
    }
    expect(diagnostics).toMatchObject([{ code: 'not-initialized', method: 'session/cancel' }]);
  });

  test('A21: another error code can be configured', async () => {
    const { connection } = openRawClient(createTestAgent(idle, { notInitializedCode: -32002 }));
    await expect(connection.request('session/new', {})).rejects.toMatchObject({ code: -32002 });
  });
});

describe('refusals', () => {
  test.each([
    'session/load',
    'session/resume',
    'session/close',
    'session/list',
    'session/delete',
    'logout',
    'session/fork',
    'session/update',
    'fs/read_text_file',
    'no/such',
    '$/nothing',
    'constructor',
    '__proto__',
  ])('A22: %s, not advertised, is answered -32601 with its name', async (method) => {
    const agent = createTestAgent(idle, {
      handlers: {
        'session/load': () => ({}),
        'session/close': () => ({}),
        'session/list': () => ({ sessions: [] }),
        'session/delete': () => ({}),
        logout: () => ({}),
      },
    });
    const { connection } = await open(agent);
    const answer = connection.request(method, { sessionId: 's1', cwd: '/', mcpServers: [] });
    await expect(answer).rejects.toMatchObject({ code: -32601, data: { method } });
  });

  test.each([
    ['session/new', { cwd: 1, mcpServers: [] }, 'cwd'],
    ['session/new', { cwd: '/' }, 'mcpServers'],
    ['session/prompt', { sessionId: 's1' }, 'prompt'],
    ['session/prompt', { sessionId: 's1', prompt: [{ type: 'text' }] }, 'prompt[0].text'],
    ['session/prompt', [], ''],
    ['session/set_mode', { sessionId: 's1' }, 'modeId'],
  ])(
    'A23: bad params of %s are refused -32602 with the path, and without the values',
    async (method, params, path) => {
      const { connection } = await open(
        createTestAgent(idle, { handlers: { 'session/set_mode': () => ({}) } }),
      );
      await expect(connection.request(method, params)).rejects.toMatchObject({
        code: -32602,
        data: { path, expected: expect.any(String) },
      });
    },
  );

  test.each(['session/prompt', 'session/set_mode', 'session/close'])(
    'A24: %s for an unknown session is answered -32002 with its id',
    async (method) => {
      const agent = createTestAgent(idle, {
        capabilities: { sessionCapabilities: { close: {} } },
        handlers: { 'session/set_mode': () => ({}), 'session/close': () => ({}) },
      });
      const { connection } = await open(agent);
      const answer = connection.request(method, { sessionId: 'nope', prompt: [], modeId: 'm' });
      await expect(answer).rejects.toMatchObject({ code: -32002, data: { sessionId: 'nope' } });
    },
  );

  test('A24: a closed session is unknown', async () => {
    const agent = createTestAgent(idle, {
      capabilities: { sessionCapabilities: { close: {} } },
      handlers: { 'session/close': () => {} },
    });
    const { connection } = await open(agent);
    await expect(connection.request('session/close', { sessionId: 's1' })).resolves.toEqual({});
    await expect(connection.request('session/prompt', prompt)).rejects.toMatchObject({ code: -32002 });
  });

  test('A27: terminal sign-in is offered only to a client that supports it', async () => {
    const agent = createTestAgent(idle, {
      authMethods: [
        { id: 'web', name: 'Web' },
        { id: 'tty', name: 'Terminal', type: 'terminal', args: ['login'] },
      ],
      handlers: { authenticate: () => ({}) },
    });
    const without = openRawClient(agent);
    const able = openRawClient(agent);
    await expect(without.connection.request('initialize', { protocolVersion: 1 })).resolves.toMatchObject({
      authMethods: [{ id: 'web' }],
    });
    const params = { protocolVersion: 1, clientCapabilities: { auth: { terminal: true } } };
    await expect(able.connection.request('initialize', params)).resolves.toMatchObject({
      authMethods: [{ id: 'web' }, { id: 'tty' }],
    });
    await expect(able.connection.request('authenticate', { methodId: 'web' })).resolves.toEqual({});
    for (const methodId of ['tty', 'other']) {
      await expect(able.connection.request('authenticate', { methodId })).rejects.toMatchObject({
        code: -32602,
      });
    }
  });
});

describe('sessions', () => {
  test('A30: a handler that returns an id twice causes an internal error', async () => {
    const { connection } = await open(
      createTestAgent(idle, { handlers: { 'session/new': () => ({ sessionId: 's1' }) } }),
    );
    const answer = connection.request('session/new', { cwd: '/', mcpServers: [] });
    await expect(answer).rejects.toMatchObject({ code: -32603 });
  });

  test('A31 A32: session/load replays the history before its response', async () => {
    const agent = createTestAgent(idle, {
      capabilities: { loadSession: true },
      handlers: {
        'session/load': (_params, context) => {
          void context.update({ sessionUpdate: 'user_message_chunk', content: text });
          void context.update(chunk);
          return {};
        },
      },
    });
    const { connection, received } = await open(agent);
    await connection.request('session/load', { sessionId: 'old', cwd: '/', mcpServers: [] });
    expect(received.map(({ params }) => params)).toMatchObject([
      { sessionId: 'old', update: { sessionUpdate: 'user_message_chunk' } },
      { sessionId: 'old', update: { sessionUpdate: 'agent_message_chunk' } },
    ]);
    await expect(connection.request('session/prompt', { ...prompt, sessionId: 'old' })).resolves.toEqual(
      idle(),
    );
  });

  test('A33: session/resume cannot replay', async () => {
    const caught: unknown[] = [];
    const agent = createTestAgent(idle, {
      capabilities: { sessionCapabilities: { resume: {} } },
      handlers: {
        'session/resume': async ({ sessionId }, { client }) => {
          await client
            .notify('session/update', { sessionId, update: chunk })
            .catch((error: unknown) => caught.push(error));
        },
      },
    });
    const { connection, received } = await open(agent);
    await connection.request('session/resume', { sessionId: 'old', cwd: '/' });
    expect(caught).toMatchObject([{ code: 'turn-ended' }]);
    expect(received).toEqual([]);
  });

  test('A34: session/close cancels the turn and responds after it', async () => {
    const closing = createDeferred();
    const order: string[] = [];
    const agent = createTestAgent(
      async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await closing.promise;
        order.push('turn');
        return idle();
      },
      {
        capabilities: { sessionCapabilities: { close: {} } },
        handlers: { 'session/close': () => void order.push('close') },
      },
    );
    const { connection } = await open(agent);
    const answers: unknown[] = [];
    const turn = connection.request('session/prompt', prompt).then((answer) => answers.push(answer));
    const close = connection
      .request('session/close', { sessionId: 's1' })
      .then((answer) => answers.push(answer));
    const late = connection.request('session/prompt', prompt);
    await expect(late).rejects.toMatchObject({ code: -32002 });
    closing.resolve();
    await Promise.all([turn, close]);
    expect(order).toEqual(['turn', 'close']);
    expect(answers).toEqual([{ stopReason: 'cancelled' }, {}]);
  });
});

describe('turns', () => {
  test.each<[string, (signal: AbortSignal) => ReturnType<AgentHandlers['session/prompt']>]>([
    ['returns something else', () => ({ stopReason: 'end_turn', _meta: { kept: true } })],
    ['throws', () => Promise.reject(new Error('aborted'))],
    ['throws the reason of the signal', (signal) => Promise.reject(signal.reason)],
    ['gives something impossible', () => Promise.resolve(careless('{"stopReason":"bored"}'))],
  ])('A57 A58: a cancelled prompt is answered `cancelled` when its handler %s', async (_case, end) => {
    const started = createDeferred();
    const agent = createTestAgent(async ({ signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return end(signal);
    });
    const { connection } = await open(agent);
    const answer = connection.request('session/prompt', prompt);
    await started.promise;
    await connection.notify('session/cancel', { sessionId: 's1' });
    await expect(answer).resolves.toMatchObject({ stopReason: 'cancelled' });
  });

  test('A57: other fields of a cancelled response stay', async () => {
    const agent = createTestAgent(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { stopReason: 'end_turn', _meta: { kept: true } };
    });
    const { connection } = await open(agent);
    const answer = connection.request('session/prompt', prompt);
    await connection.notify('session/cancel', { sessionId: 's1' });
    await expect(answer).resolves.toEqual({ stopReason: 'cancelled', _meta: { kept: true } });
  });

  test('A59: a turn sends everything before its response, and nothing after it', async () => {
    const turns: PromptContext[] = [];
    const agent = createTestAgent((context) => {
      turns.push(context);
      for (let index = 0; index < 100; index++) void context.update(chunk);
      return idle();
    });
    const { connection, received } = await open(agent);
    await connection.request('session/prompt', prompt);
    expect(received).toHaveLength(100);
    await connection.request('session/prompt', prompt);
    await expect(turns[0]?.update(chunk)).rejects.toMatchObject({ code: 'turn-ended' });
    expect(received).toHaveLength(200);
  });

  test('A59: between turns, updates that belong to no turn are sent', async () => {
    const raw = openRawClient(createTestAgent(idle));
    const { connection, received, agent } = raw;
    await connection.request('initialize', { protocolVersion: 1 });
    await connection.request('session/new', { cwd: '/', mcpServers: [] });
    await connection.request('session/prompt', prompt);
    const send = (update: SessionUpdate): Promise<void> =>
      agent.client.notify('session/update', { sessionId: 's1', update });
    await expect(send(chunk)).rejects.toMatchObject({ code: 'turn-ended' });
    await send({ sessionUpdate: 'current_mode_update', currentModeId: 'm' });
    await send({ sessionUpdate: 'session_info_update', title: null });
    await send({ sessionUpdate: 'usage_update', used: 1, size: 2 });
    await send({ sessionUpdate: 'available_commands_update', availableCommands: [] });
    await send({ sessionUpdate: 'config_option_update', configOptions: [] });
    await connection.request('session/prompt', prompt);
    expect(received).toHaveLength(5);
  });

  test('A72 A73: a cancelled turn can still release its terminals', async () => {
    const agent = createTestAgent(async ({ client, sessionId, signal }) => {
      const { terminalId } = await client.request('terminal/create', { sessionId, command: 'sleep' });
      await client.request('terminal/wait_for_exit', { sessionId, terminalId }).catch(() => signal.aborted);
      await client.request('terminal/kill', { sessionId, terminalId });
      await client.request('terminal/release', { sessionId, terminalId });
      return idle();
    });
    const waiting = createDeferred();
    const { connection, received } = await open(
      agent,
      {
        'terminal/create': () => ({ terminalId: 't' }),
        'terminal/wait_for_exit': (_params, { signal }) => {
          waiting.resolve();
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          );
        },
        'terminal/kill': () => ({}),
        'terminal/release': () => ({}),
      },
      { terminal: true },
    );
    const answer = connection.request('session/prompt', prompt);
    await waiting.promise;
    await connection.notify('session/cancel', { sessionId: 's1' });
    await expect(answer).resolves.toEqual({ stopReason: 'cancelled' });
    expect(received.map(({ method }) => method)).toEqual([
      'terminal/create',
      'terminal/wait_for_exit',
      'terminal/kill',
      'terminal/release',
    ]);
  });

  test('A74: a cancelled request is answered with -32800, or with a partial result', async () => {
    const gate = createDeferred();
    const agent = createTestAgent(
      async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new Error('stopped');
      },
      {
        capabilities: { sessionCapabilities: { list: {} } },
        handlers: {
          'session/list': async (_params, { signal }) => {
            gate.resolve();
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            signal.throwIfAborted();
            return { sessions: [] };
          },
        },
      },
    );
    const { connection } = await open(agent);
    // By hand, to see what comes: our own end would settle at once.
    const list = connection.request('session/list', {});
    await gate.promise;
    await connection.notify('$/cancel_request', { requestId: 3 });
    await expect(list).rejects.toMatchObject({ code: -32800 });
    const turn = connection.request('session/prompt', prompt);
    await connection.notify('$/cancel_request', { requestId: 4 });
    await expect(turn).resolves.toEqual({ stopReason: 'cancelled' });
  });
});

describe('extensibility', () => {
  test('A77: messages sent by a handler have the trace context of its request', async () => {
    const trace = { traceparent: '00-1-2-01', tracestate: 'a=b', baggage: 'c=d' };
    const agent = createTestAgent(async ({ client, update, sessionId }) => {
      await update(chunk);
      const options = [{ optionId: 'o', name: 'O', kind: 'allow_once' as const }];
      await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 't' },
        options,
        _meta: { tracestate: 'mine', other: 1 },
      });
      return idle();
    });
    const { connection, received } = await open(agent, {
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
    });
    await connection.request('session/prompt', { ...prompt, _meta: { ...trace, private: 1 } });
    expect(received.map(({ params }) => params)).toMatchObject([
      { _meta: trace },
      { _meta: { traceparent: '00-1-2-01', tracestate: 'mine', baggage: 'c=d', other: 1 } },
    ]);
    expect(received[0]?.params).not.toHaveProperty('_meta.private');
  });

  test('A77: trace context can be turned off', async () => {
    const agent = createTestAgent(
      async ({ update }) => {
        await update(chunk);
        return idle();
      },
      { traceContext: 'off' },
    );
    const { connection, received } = await open(agent);
    await connection.request('session/prompt', { ...prompt, _meta: { traceparent: '00-1-2-01' } });
    expect(received[0]?.params).not.toHaveProperty('_meta');
  });

  test('A78: `_meta` passes through unchanged in both directions', async () => {
    const seen: unknown[] = [];
    const agent = createTestAgent((context) => {
      seen.push(context.meta);
      return { stopReason: 'end_turn', _meta: { answer: { deep: [1] } } };
    });
    const { connection } = await open(agent);
    const answer = connection.request('session/prompt', { ...prompt, _meta: { question: null } });
    await expect(answer).resolves.toEqual({ stopReason: 'end_turn', _meta: { answer: { deep: [1] } } });
    expect(seen).toEqual([{ question: null }]);
  });

  test('A79 A80 A81: extensions are advertised and answered; unknown ones are ignored', async () => {
    const seen: unknown[] = [];
    const agent = createTestAgent(idle, {
      capabilities: { _meta: { 'example.org': { other: true }, own: 1 } },
      extensions: {
        '_example.org/double': {
          handle: (params) => ({ twice: [params, params] }),
          description: 'says it twice',
        },
        '_example.org/note': { handle: (params) => void seen.push(params), notification: true },
        '_example.org/sent/by/us': {},
      },
    });
    const { connection, diagnostics } = openRawClient(agent);
    await expect(connection.request('initialize', { protocolVersion: 1 })).resolves.toMatchObject({
      agentCapabilities: {
        _meta: {
          own: 1,
          'example.org': {
            other: true,
            double: { description: 'says it twice' },
            note: true,
            'sent/by/us': true,
          },
        },
      },
    });
    const answer = connection.request('_example.org/double', { n: 1 });
    await expect(answer).resolves.toEqual({ twice: [{ n: 1 }, { n: 1 }] });
    for (const method of ['_example.org/none', '_example.org/note', '_example.org/sent/by/us', '__proto__']) {
      await expect(connection.request(method, {})).rejects.toMatchObject({ code: -32601 });
    }
    await connection.notify('_example.org/note', { n: 1 });
    await connection.notify('_example.org/unknown', {});
    await connection.notify('no/such', {});
    await connection.request('_example.org/double', {});
    expect(seen).toEqual([{ n: 1 }]);
    expect(diagnostics).toMatchObject([
      { code: 'unknown-notification', method: '_example.org/unknown' },
      { code: 'unknown-notification', method: 'no/such' },
    ]);
  });
});

describe('names that the protocol does not have', () => {
  test('are served, and not advertised', async () => {
    const seen: unknown[] = [];
    const agent = createTestAgent(idle, {
      extensions: {
        'session/set_model': { handle: (params) => ({ set: params }) },
        'session/looked': { handle: (params) => void seen.push(params), notification: true },
        // The stable entry does not know this one; nothing is checked then.
        'session/fork': { handle: () => ({ sessionId: 's2' }) },
      },
    });
    const { connection, diagnostics } = openRawClient(agent);
    const before = connection.request('session/set_model', {});
    await expect(before).rejects.toMatchObject({ code: -32600 });
    const initialized = await connection.request('initialize', { protocolVersion: 1 });
    expect(initialized).toHaveProperty('agentCapabilities', {});
    await expect(connection.request('session/set_model', { modelId: 'm' })).resolves.toEqual({
      set: { modelId: 'm' },
    });
    await expect(connection.request('session/fork', {})).resolves.toEqual({ sessionId: 's2' });
    await connection.notify('session/looked', { n: 1 });
    await connection.notify('session/set_model', {});
    for (const method of ['session/list_models', 'session/looked', 'constructor', '']) {
      await expect(connection.request(method, {})).rejects.toMatchObject({ code: -32601 });
    }
    expect(seen).toEqual([{ n: 1 }]);
    expect(diagnostics).toMatchObject([{ code: 'unknown-notification', method: 'session/set_model' }]);
  });
});

describe('what the client has to declare', () => {
  const onOff = [{ id: 'o', name: 'O', type: 'boolean', currentValue: true }] as const;

  test('A84: a boolean option is sent only to a client that supports it', async () => {
    const agent = createTestAgent(idle, {
      handlers: {
        'session/new': () => ({ sessionId: 's1', configOptions: onOff }),
        'session/set_config_option': () => ({ configOptions: onOff }),
      },
    });
    const without = openRawClient(agent);
    await without.connection.request('initialize', { protocolVersion: 1 });
    const params = { cwd: '/', mcpServers: [] };
    await expect(without.connection.request('session/new', params)).rejects.toMatchObject({ code: -32603 });
    expect(without.diagnostics).toMatchObject([
      { error: { code: 'invalid-result', path: 'configOptions[0].type' } },
    ]);

    const able = await open(agent, {}, { session: { configOptions: { boolean: {} } } });
    const change = { sessionId: 's1', configId: 'o', type: 'boolean', value: false };
    await expect(able.connection.request('session/set_config_option', change)).resolves.toEqual({
      configOptions: onOff,
    });
  });

  test.each<[SessionUpdate, ClientCapabilities]>([
    [{ sessionUpdate: 'notice', severity: 'info', title: 'n' }, { session: { notices: {} } }],
    [
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' },
      { session: { compaction: {} } },
    ],
    [
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text },
      { session: { compaction: {} } },
    ],
    [
      { sessionUpdate: 'config_option_update', configOptions: onOff },
      { session: { configOptions: { boolean: {} } } },
    ],
  ])('A84 A105: %j is sent only to a client that declared it', async (update, capabilities) => {
    for (const [declared, count] of [
      [{}, 0],
      [capabilities, 1],
    ] as const) {
      const caught: unknown[] = [];
      const agent = createTestAgent(async (context) => {
        await context.update(update).catch((error: unknown) => caught.push(error));
        return idle();
      });
      const { connection, received } = await open(agent, {}, declared);
      await connection.request('session/prompt', prompt);
      expect(received).toHaveLength(count);
      expect(caught.length).toBe(1 - count);
      if (count === 0) expect(caught).toMatchObject([{ code: 'not-supported' }]);
    }
  });

  test('A92: only the elicitation modes that the client declared are sent', async () => {
    const caught: unknown[] = [];
    const agent = createTestAgent(async ({ client, sessionId }) => {
      const url = {
        mode: 'url',
        sessionId,
        message: 'm',
        elicitationId: 'e',
        url: 'https://example.org/',
      } as const;
      await client.request('elicitation/create', url).catch((error: unknown) => caught.push(error));
      const form = { mode: 'form', sessionId, message: 'm', requestedSchema: { properties: {} } } as const;
      const { action } = await client.request('elicitation/create', form);
      return { stopReason: action === 'decline' ? 'refusal' : 'end_turn' };
    });
    const answers = { 'elicitation/create': () => ({ action: 'decline' }) };
    const { connection } = await open(agent, answers, { elicitation: { form: {} } });
    await expect(connection.request('session/prompt', prompt)).resolves.toEqual({ stopReason: 'refusal' });
    expect(caught).toMatchObject([{ code: 'not-supported', path: 'mode' }]);
  });
});

test('A25: an unknown error code is an error like any other', async () => {
  const caught: unknown[] = [];
  const agent = createTestAgent(async ({ client, sessionId }) => {
    await client
      .request('fs/read_text_file', { sessionId, path: '/a' })
      .catch((error: unknown) => caught.push(error));
    return idle();
  });
  const answers = {
    'fs/read_text_file': () => {
      throw new RpcError(4711, 'strange', { why: 1 });
    },
  };
  const { connection } = await open(agent, answers, { fs: { readTextFile: true } });
  await connection.request('session/prompt', prompt);
  expect(caught).toMatchObject([{ name: 'RpcError', code: 4711, data: { why: 1 } }]);
});
