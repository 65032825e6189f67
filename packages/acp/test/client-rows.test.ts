import { RpcError } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import {
  createClient,
  type AgentCapabilities,
  type AgentPeer,
  type Client,
  type ClientCapabilities,
  type ClientConnection,
  type ClientHandlers,
  type ClientOptions,
  type ContentBlock,
  type McpServer,
  type SessionNotification,
} from '../src/index.ts';
import { createDeferred, openRawAgent, type Answers, type RawPeer } from './raw-peers.ts';

const info = { name: 'test-client', version: '1.2.3' };
const text = { type: 'text', text: 'hello' } as const;
const setup = { cwd: '/work', mcpServers: [] };
const prompt = { sessionId: 's1', prompt: [text] };
const chunk = (content: string): unknown => ({
  sessionId: 's1',
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: content } },
});

interface TestClientOptions extends Partial<Omit<ClientOptions, 'handlers'>> {
  readonly handlers?: Partial<ClientHandlers>;
}

function createTestClient({ handlers, ...options }: TestClientOptions = {}): Client {
  return createClient({
    info,
    ...options,
    handlers: {
      'session/update': () => {},
      'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }),
      ...handlers,
    },
  });
}

type Opened = RawPeer & { readonly client: ClientConnection };

/** A client with a session `s1`, and an agent that declares what the test asks for. */
async function open(
  options: TestClientOptions = {},
  answers: Answers = {},
  agentCapabilities: AgentCapabilities = {},
): Promise<Opened> {
  const raw = openRawAgent(createTestClient(options), {
    initialize: () => ({ protocolVersion: 1, agentCapabilities }),
    ...answers,
  });
  await raw.client.initialize();
  await raw.client.agent.request('session/new', setup);
  return raw;
}

const permission = {
  sessionId: 's1',
  toolCall: { toolCallId: 't' },
  options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
};

describe('initialization', () => {
  test('C6 C7 C10: initialize has version, client information and capabilities', async () => {
    const { client, received } = openRawAgent(
      createTestClient({ capabilities: { auth: { terminal: true } } }),
    );
    await client.initialize({ meta: { trace: 1 } });
    expect(received).toEqual([
      {
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientInfo: info,
          clientCapabilities: { auth: { terminal: true } },
          _meta: { trace: 1 },
        },
      },
    ]);
  });

  test.each([0, 2, 7, 65535])(
    'C8: the client disconnects from an agent with version %d',
    async (protocolVersion) => {
      const { client } = openRawAgent(createTestClient(), { initialize: () => ({ protocolVersion }) });
      await expect(client.initialize()).rejects.toMatchObject({
        name: 'AcpError',
        code: 'unsupported-version',
        message: `initialize: the agent speaks version ${protocolVersion}, we speak 1`,
      });
      expect(client.signal.aborted).toBe(true);
      await expect(client.closed).resolves.toMatchObject({ code: 'local' });
    },
  );

  test('C6 C11: nothing is sent before initialize', async () => {
    const { client, received } = openRawAgent(createTestClient());
    await expect(client.agent.request('session/new', setup)).rejects.toMatchObject({
      code: 'not-initialized',
    });
    await expect(client.agent.requestExtension('_a/b', {})).rejects.toMatchObject({
      code: 'not-initialized',
    });
    const cancel = client.agent.notify('session/cancel', { sessionId: 's1' });
    await expect(cancel).rejects.toMatchObject({ code: 'not-initialized' });
    expect(received).toEqual([]);
  });
});

describe('what the agent has to declare', () => {
  test.each<[string, (agent: AgentPeer) => Promise<unknown>, AgentCapabilities]>([
    ['C12', (agent) => agent.request('session/load', { ...setup, sessionId: 'x' }), { loadSession: true }],
    [
      'C14',
      (agent) => agent.request('session/resume', { cwd: '/', sessionId: 'x' }),
      { sessionCapabilities: { resume: {} } },
    ],
    [
      'C16',
      (agent) => agent.request('session/close', { sessionId: 's1' }),
      { sessionCapabilities: { close: {} } },
    ],
    ['C20', (agent) => agent.request('session/list', {}), { sessionCapabilities: { list: {} } }],
    [
      'C24',
      (agent) => agent.request('session/delete', { sessionId: 'x' }),
      { sessionCapabilities: { delete: {} } },
    ],
    ['C49', (agent) => agent.request('logout', {}), { auth: { logout: {} } }],
  ])('C9 %s: a method is called only when the agent declared it', async (_row, call, capabilities) => {
    const without = await open();
    await expect(call(without.client.agent)).rejects.toMatchObject({ code: 'not-supported' });
    expect(without.received).toHaveLength(2);

    const ok = (): object => ({ sessions: [] });
    const answers = Object.fromEntries(
      ['load', 'resume', 'close', 'list', 'delete'].map((name) => [`session/${name}`, ok]),
    );
    const able = await open({}, { ...answers, logout: ok }, capabilities);
    await expect(call(able.client.agent)).resolves.toBeDefined();
  });

  test('C17: additional directories are sent only to an agent that declared them, and never as an empty list', async () => {
    const { client, received } = await open();
    for (const additionalDirectories of [[], ['/a']]) {
      const answer = client.agent.request('session/new', { ...setup, additionalDirectories });
      await expect(answer).rejects.toMatchObject({ code: 'not-supported', path: 'additionalDirectories' });
    }
    expect(received).toHaveLength(2);
    const able = await open({}, {}, { sessionCapabilities: { additionalDirectories: {} } });
    await able.client.agent.request('session/new', { ...setup, additionalDirectories: ['/a'] });
  });

  test.each<McpServer>([
    { type: 'http', name: 'n', url: 'https://example.org', headers: [] },
    { type: 'sse', name: 'n', url: 'https://example.org', headers: [] },
  ])('C18: an MCP server over $type is sent only to an agent that declared it', async (server) => {
    const mcpServers: McpServer[] = [{ name: 'm', command: '/bin/m', args: [], env: [] }, server];
    const { client } = await open();
    await expect(client.agent.request('session/new', { ...setup, mcpServers })).rejects.toMatchObject({
      code: 'not-supported',
      path: 'mcpServers[1].type',
    });
    const able = await open({}, {}, { mcpCapabilities: { http: true, sse: true } });
    await able.client.agent.request('session/new', { ...setup, mcpServers });
  });

  test.each<[ContentBlock, AgentCapabilities]>([
    [{ type: 'image', data: 'AA==', mimeType: 'image/png' }, { promptCapabilities: { image: true } }],
    [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }, { promptCapabilities: { audio: true } }],
    [
      { type: 'resource', resource: { uri: 'a:b', text: '' } },
      { promptCapabilities: { embeddedContext: true } },
    ],
  ])('C26: %j is sent only to an agent that declared its kind', async (block, capabilities) => {
    const answers = { 'session/prompt': () => ({ stopReason: 'end_turn' }) };
    const { client } = await open({}, answers);
    const params = { sessionId: 's1', prompt: [text, block] };
    await expect(client.agent.request('session/prompt', params)).rejects.toMatchObject({
      code: 'not-supported',
      path: 'prompt[1].type',
    });
    const able = await open({}, answers, capabilities);
    await expect(able.client.agent.request('session/prompt', params)).resolves.toEqual({
      stopReason: 'end_turn',
    });
  });

  test('C50: a terminal method, or an unknown one, is never passed to authenticate', async () => {
    const { client, received } = openRawAgent(createTestClient(), {
      initialize: () => ({
        protocolVersion: 1,
        authMethods: [
          { id: 'web', name: 'Web', type: 'agent' },
          { id: 'tty', name: 'Terminal', type: 'terminal' },
        ],
      }),
      authenticate: () => null,
    });
    await client.initialize();
    expect(client.agent.authMethods.map(({ id }) => id)).toEqual(['web', 'tty']);
    for (const methodId of ['tty', 'other']) {
      const answer = client.agent.request('authenticate', { methodId });
      await expect(answer).rejects.toMatchObject({ code: 'not-supported', path: 'methodId' });
    }
    await expect(client.agent.request('authenticate', { methodId: 'web' })).resolves.toEqual({});
    expect(received).toHaveLength(2);
  });
});

describe('paths and sessions', () => {
  test.each(['work', './a', ''])('C5 C19: the relative cwd %j is not sent', async (cwd) => {
    const { client, received } = await open();
    await expect(client.agent.request('session/new', { cwd, mcpServers: [] })).rejects.toMatchObject({
      code: 'invalid-params',
      path: 'cwd',
    });
    expect(received).toHaveLength(2);
  });

  test.each([
    ['fs/read_text_file', { path: 'a' }],
    ['fs/write_text_file', { path: 'a', content: '' }],
    ['terminal/create', { command: 'ls', cwd: 'a' }],
  ])('C5: %s with a relative path is refused -32602', async (method, params) => {
    const { connection } = await open({
      capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      handlers: {
        'fs/read_text_file': () => ({ content: '' }),
        'fs/write_text_file': () => {},
        'terminal/create': () => ({ terminalId: 't' }),
        'terminal/output': () => ({ output: '', truncated: false }),
        'terminal/wait_for_exit': () => ({ exitCode: 0 }),
        'terminal/kill': () => {},
        'terminal/release': () => {},
      },
    });
    await expect(connection.request(method, { sessionId: 's1', ...params })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('got "a"'),
    });
    await expect(
      connection.request(method, { sessionId: 's1', ...params, path: '/a', cwd: '/a' }),
    ).resolves.toBeDefined();
  });

  test('C25: a prompt needs a session that is open', async () => {
    const { client, received } = await open();
    const answer = client.agent.request('session/prompt', { ...prompt, sessionId: 'nope' });
    await expect(answer).rejects.toMatchObject({ code: 'unknown-session' });
    const cancel = client.agent.notify('session/cancel', { sessionId: 'nope' });
    await expect(cancel).rejects.toMatchObject({ code: 'unknown-session' });
    expect(received).toHaveLength(2);
  });

  test('C25: a closed session is not open, even if the agent does not know it', async () => {
    const answers = {
      'session/close': () => {
        throw new RpcError(-32002, 'no such session');
      },
    };
    const { client } = await open({}, answers, { sessionCapabilities: { close: {} } });
    const close = client.agent.request('session/close', { sessionId: 's1' });
    await expect(close).rejects.toMatchObject({ code: -32002 });
    await expect(client.agent.request('session/prompt', prompt)).rejects.toMatchObject({
      code: 'unknown-session',
    });
  });

  test('C64: updates of a session whose session/new is not answered yet are delivered in order', async () => {
    const seen: SessionNotification[] = [];
    const { client, diagnostics } = openRawAgent(
      createTestClient({ handlers: { 'session/update': (params) => void seen.push(params) } }),
      {
        'session/new': async (_params, { connection }) => {
          await connection.notify('session/update', chunk('1'));
          await connection.notify('session/update', chunk('2'));
          return { sessionId: 's1' };
        },
      },
    );
    await client.initialize();
    await client.agent.request('session/new', setup);
    expect(seen).toEqual([chunk('1'), chunk('2')]);
    expect(diagnostics).toEqual([]);
  });

  test('C64: an update for an unknown session, or of a new kind, is delivered and reported', async () => {
    const seen: [SessionNotification, unknown][] = [];
    const { connection, diagnostics, client } = await open(
      { handlers: { 'session/update': (params, { raw }) => void seen.push([params, raw]) } },
      { 'session/prompt': () => ({ stopReason: 'end_turn' }) },
    );
    const stranger = { sessionId: 'x', update: { sessionUpdate: 'current_mode_update', currentModeId: 'm' } };
    const update = { sessionId: 's1', update: { sessionUpdate: 'hologram', depth: 3 } };
    await connection.notify('session/update', stranger);
    await connection.notify('session/update', update);
    await connection.notify('session/update', {
      sessionId: 's1',
      update: { sessionUpdate: 'agent_message_chunk' },
    });
    await connection.notify('session/update', []);
    await client.agent.request('session/prompt', prompt);
    expect(seen).toEqual([
      [stranger, stranger],
      [{ sessionId: 's1', update: { sessionUpdate: 'unknown', raw: update.update } }, update],
    ]);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['unknown-session', 'session/update: session x is not open'],
      ['unknown-variant', 'session/update: unknown kind of update'],
      ['invalid-params', 'session/update: ignored: update.content: expected an object'],
      ['invalid-params', 'session/update: ignored: expected an object'],
    ]);
  });

  test.each(['session/request_permission', 'fs/read_text_file', 'terminal/output'])(
    'C64: %s for an unknown session is answered -32002',
    async (method) => {
      const { connection } = await open({
        capabilities: { fs: { readTextFile: true }, terminal: true },
        handlers: {
          'fs/read_text_file': () => ({ content: '' }),
          'terminal/create': () => ({ terminalId: 't' }),
          'terminal/output': () => ({ output: '', truncated: false }),
          'terminal/wait_for_exit': () => ({}),
          'terminal/kill': () => {},
          'terminal/release': () => {},
        },
      });
      const params = { ...permission, sessionId: 'x', path: '/a', terminalId: 't' };
      await expect(connection.request(method, params)).rejects.toMatchObject({
        code: -32002,
        data: { sessionId: 'x' },
      });
    },
  );
});

describe('cancelling', () => {
  test('C28: session/cancel answers open requests to the user, at once and in order', async () => {
    const asked = createDeferred();
    const signals: AbortSignal[] = [];
    const answered: unknown[] = [];
    const turn = createDeferred<unknown>();
    const { client, connection, received } = await open(
      {
        capabilities: { elicitation: { form: {} } },
        handlers: {
          'session/request_permission': (_params, { signal }) => {
            signals.push(signal);
            return new Promise(() => {});
          },
          'elicitation/create': (_params, { signal }) => {
            signals.push(signal);
            asked.resolve();
            return new Promise(() => {});
          },
        },
      },
      { 'session/prompt': () => turn.promise },
    );
    const answer = client.agent.request('session/prompt', prompt);
    for (const method of ['session/request_permission', 'elicitation/create']) {
      const form = { ...permission, mode: 'form', message: 'm', requestedSchema: {} };
      void connection.request(method, form).then((outcome) => answered.push([method, outcome]));
    }
    await asked.promise;
    await client.agent.notify('session/cancel', { sessionId: 's1' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await connection.request('_nothing/here').catch(() => {});
    expect(received.at(-1)).toEqual({ method: 'session/cancel', params: { sessionId: 's1' } });
    expect(answered).toEqual([
      ['session/request_permission', { outcome: { outcome: 'cancelled' } }],
      ['elicitation/create', { action: 'cancel' }],
    ]);

    // What the agent asks before it has read the cancel is answered at once; its handler's signal is aborted from the start.
    await expect(connection.request('session/request_permission', permission)).resolves.toEqual({
      outcome: { outcome: 'cancelled' },
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    turn.resolve({ stopReason: 'cancelled' });
    await expect(answer).resolves.toEqual({ stopReason: 'cancelled' });
  });

  test('C28: in the next turn the user is asked again', async () => {
    const { client, connection } = await open({}, { 'session/prompt': () => ({ stopReason: 'end_turn' }) });
    const first = client.agent.request('session/prompt', prompt);
    await client.agent.notify('session/cancel', { sessionId: 's1' });
    await first;
    await expect(connection.request('session/request_permission', permission)).resolves.toEqual({
      outcome: { outcome: 'selected', optionId: 'yes' },
    });
  });

  test('C29: updates after a cancel are delivered; those after the response are delivered as late', async () => {
    const seen: [unknown, boolean][] = [];
    const started = createDeferred();
    const goOn = createDeferred();
    const { client, connection, diagnostics } = await open(
      {
        handlers: {
          'session/update': ({ update }, { isLate }) => void seen.push([update.sessionUpdate, isLate]),
        },
      },
      {
        'session/prompt': async (_params, context) => {
          started.resolve();
          await goOn.promise;
          await context.connection.notify('session/update', chunk('before'));
          void Promise.resolve().then(() => context.connection.notify('session/update', chunk('after')));
          return { stopReason: 'cancelled' };
        },
      },
    );
    const answer = client.agent.request('session/prompt', prompt);
    await started.promise;
    await client.agent.notify('session/cancel', { sessionId: 's1' });
    goOn.resolve();
    await answer;
    await connection.notify('session/update', chunk('late'));
    const usage = { sessionId: 's1', update: { sessionUpdate: 'usage_update', used: 1, size: 2 } };
    await connection.notify('session/update', usage);
    await connection.request('_nothing/here').catch(() => {});
    expect(seen.filter(([, isLate]) => !isLate).map(([kind]) => kind)).toContain('usage_update');
    expect(seen[0]).toEqual(['agent_message_chunk', false]);
    expect(seen.at(-2)).toEqual(['agent_message_chunk', true]);
    expect(diagnostics.at(-1)).toMatchObject({ code: 'late-update', sessionId: 's1' });
  });

  test('C39: a request that the agent cancels is answered', async () => {
    const asked = createDeferred();
    const { connection } = await open({
      capabilities: { fs: { readTextFile: true } },
      handlers: {
        'session/request_permission': () => {
          asked.resolve();
          return new Promise(() => {});
        },
        'fs/read_text_file': async (_params, { signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          throw new Error('stopped');
        },
      },
    });
    const question = connection.request('session/request_permission', permission);
    await asked.promise;
    await connection.notify('$/cancel_request', { requestId: 1 });
    await expect(question).resolves.toEqual({ outcome: { outcome: 'cancelled' } });
    const file = connection.request('fs/read_text_file', { sessionId: 's1', path: '/a' });
    await connection.notify('$/cancel_request', { requestId: 2 });
    await expect(file).rejects.toMatchObject({ code: -32800 });
  });
});

describe('extensibility', () => {
  test('C41 C42: extensions are advertised and answered; unknown ones are ignored', async () => {
    const seen: unknown[] = [];
    const { client, connection, received, diagnostics } = openRawAgent(
      createTestClient({
        extensions: {
          '_example.org/ask': { handle: (params) => ({ asked: params }) },
          '_example.org/note': { handle: (params) => void seen.push(params), notification: true },
        },
      }),
      {
        initialize: () => ({
          protocolVersion: 1,
          agentCapabilities: { _meta: { 'example.org': { set_model: { description: 'd' }, off: false } } },
        }),
        '_example.org/set_model': (params) => params,
      },
    );
    await client.initialize();
    expect(received[0]?.params).toMatchObject({
      clientCapabilities: { _meta: { 'example.org': { ask: true, note: true } } },
    });
    expect(client.agent.offers('_example.org/set_model')).toBe(true);
    expect(client.agent.offers('_example.org/off')).toBe(false);
    expect(client.agent.offers('_other.org/set_model')).toBe(false);
    await expect(client.agent.requestExtension('_example.org/set_model', { m: 1 })).resolves.toEqual({
      m: 1,
    });
    await client.agent.notifyExtension('_example.org/gone', { m: 2 });
    await expect(connection.request('_example.org/ask', { n: 1 })).resolves.toEqual({ asked: { n: 1 } });
    await expect(connection.request('_example.org/none', {})).rejects.toMatchObject({ code: -32601 });
    await connection.notify('_example.org/note', { n: 2 });
    await connection.notify('_example.org/none', {});
    await connection.request('_example.org/ask', {});
    expect(seen).toEqual([{ n: 2 }]);
    expect(received.at(-1)).toEqual({ method: '_example.org/gone', params: { m: 2 } });
    expect(diagnostics).toMatchObject([{ code: 'unknown-notification', method: '_example.org/none' }]);
  });

  test('extension requests accept any name except those of the protocol', async () => {
    const { client, received } = await open({}, { 'session/set_model': (params) => params });
    const { agent } = client;
    await expect(agent.requestExtension('session/set_model', { modelId: 'm' })).resolves.toEqual({
      modelId: 'm',
    });
    await expect(agent.requestExtension('session/list_models', {})).rejects.toMatchObject({ code: -32601 });
    const count = received.length;
    for (const method of ['session/prompt', 'session/cancel', '$/cancel_request']) {
      const refusal = { code: 'invalid-params', method };
      await expect(agent.requestExtension(method, { sessionId: 's1' })).rejects.toMatchObject(refusal);
      await expect(agent.notifyExtension(method, { sessionId: 's1' })).rejects.toMatchObject(refusal);
    }
    expect(received).toHaveLength(count);
  });

  test('C47: an option of an unknown kind arrives as unknown', async () => {
    const option = { id: 'o', name: 'O', type: 'slider', currentValue: 3 };
    const { client } = await open(
      {},
      { 'session/new': () => ({ sessionId: 's1', configOptions: [option] }) },
    );
    await expect(client.agent.request('session/new', setup)).resolves.toMatchObject({
      configOptions: [{ id: 'o', type: 'unknown', raw: option }],
    });
  });
});

describe('elicitation', () => {
  const capabilities: ClientCapabilities = { elicitation: { form: {} } };

  test('C59: a completion without a handler is ignored', async () => {
    const { connection, client, diagnostics } = await open(
      {
        capabilities: { elicitation: { url: {} } },
        handlers: { 'elicitation/create': () => ({ action: 'accept' }) },
      },
      { 'session/prompt': () => ({ stopReason: 'end_turn' }) },
    );
    await connection.notify('elicitation/complete', { elicitationId: 'unknown' });
    await client.agent.request('session/prompt', prompt);
    expect(diagnostics).toEqual([]);
  });

  test.each([{ mode: 'url', elicitationId: 'e', url: 'https://example.org/' }, { mode: 'telepathy' }])(
    'C60 C61: the mode $mode, not declared, is refused -32602',
    async (params) => {
      const { connection } = await open({
        capabilities,
        handlers: { 'elicitation/create': () => ({ action: 'accept' }) },
      });
      const answer = connection.request('elicitation/create', { sessionId: 's1', message: 'm', ...params });
      await expect(answer).rejects.toMatchObject({ code: -32602, data: { path: 'mode' } });
    },
  );

  test('C60: an elicitation that belongs to a request needs no session', async () => {
    const { connection } = await open({
      capabilities,
      handlers: { 'elicitation/create': () => ({ action: 'decline' }) },
    });
    const params = { mode: 'form', requestId: 7, message: 'm', requestedSchema: {} };
    await expect(connection.request('elicitation/create', params)).resolves.toEqual({ action: 'decline' });
  });
});

test('C63: an unknown error code is an error like any other', async () => {
  const answers = {
    'session/prompt': () => {
      throw new RpcError(-31234, 'strange');
    },
  };
  const { client } = await open({}, answers);
  await expect(client.agent.request('session/prompt', prompt)).rejects.toMatchObject({
    name: 'RpcError',
    code: -31234,
  });
});
