import { RpcError } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import {
  careless,
  createDeferred,
  openRawClient,
  type Answers,
  type RawPeer,
} from '../../../test/raw-peers.ts';
import {
  authRequired,
  createAgent,
  type Agent,
  type AgentHandlers,
  type AgentOptions,
  type ClientCapabilities,
  type InitializeResponse,
  type PromptContext,
} from '../../index.ts';
import { createAgent as createUnstableAgent } from '../../unstable.ts';

const info = { name: 'test-agent', version: '1.2.3' };
const text = { type: 'text', text: 'hello' } as const;
const setup = { cwd: '/work', mcpServers: [] };
const prompt = { sessionId: 's1', prompt: [text] };
const permission = {
  sessionId: 's1',
  toolCall: { toolCallId: 't' },
  options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
} as const;

type Turn = (context: PromptContext) => ReturnType<AgentHandlers['session/prompt']>;

interface TestAgentOptions extends Partial<Omit<AgentOptions, 'handlers'>> {
  readonly handlers?: Partial<AgentHandlers>;
}

function createTestAgent(
  turn: Turn = () => ({ stopReason: 'end_turn' }),
  { handlers, ...options }: TestAgentOptions = {},
): Agent {
  return createAgent({
    info,
    ...options,
    handlers: {
      'session/new': () => ({ sessionId: 's1' }),
      'session/prompt': (_params, context) => turn(context),
      ...handlers,
    },
  });
}

async function open(
  agent: Agent,
  answers: Answers = {},
  clientCapabilities: ClientCapabilities = {},
): Promise<RawPeer> {
  const raw = openRawClient(agent, answers);
  await raw.connection.request('initialize', { protocolVersion: 1, clientCapabilities });
  await raw.connection.request('session/new', setup);
  return raw;
}

const untilAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));

describe('initialize', () => {
  test('requests read after it wait for it, and start in order', async () => {
    const ready = createDeferred();
    const order: string[] = [];
    const agent = createTestAgent(undefined, {
      handlers: {
        initialize: () => ready.promise,
        'session/new': () => {
          order.push('new');
          return { sessionId: 's1' };
        },
      },
      extensions: { '_example.org/ping': { handle: () => order.push('ping') } },
    });
    const { connection } = openRawClient(agent);
    const all = [
      connection.request('initialize', { protocolVersion: 1 }).then(() => order.push('initialized')),
      connection.request('session/new', setup),
      connection.request('_example.org/ping', {}),
    ];
    await expect(connection.request('initialize', { protocolVersion: 1 })).rejects.toMatchObject({
      code: -32600,
    });
    expect(order).toEqual([]);
    ready.resolve();
    await Promise.all(all);
    expect(order.slice(0, 2)).toEqual(['new', 'ping']);
  });

  test('without its own handler, requests of the same read are served at once', async () => {
    const { connection } = openRawClient(createTestAgent());
    const answers = [
      connection.request('initialize', { protocolVersion: 1 }),
      connection.request('session/new', setup),
    ];
    await expect(Promise.all(answers)).resolves.toMatchObject([{ protocolVersion: 1 }, { sessionId: 's1' }]);
  });

  test('more than 256 requests do not wait', async () => {
    const ready = createDeferred();
    const agent = createTestAgent(undefined, {
      handlers: { initialize: () => ready.promise },
      extensions: { '_example.org/ping': { handle: () => 'pong' } },
    });
    const { connection } = openRawClient(agent);
    const initialized = connection.request('initialize', { protocolVersion: 1 });
    const pings = Array.from({ length: 258 }, () => connection.request('_example.org/ping', {}));
    await expect(pings[256]).rejects.toMatchObject({ code: -32600 });
    await expect(pings[257]).rejects.toMatchObject({ code: -32600 });
    ready.resolve();
    await initialized;
    await expect(Promise.all(pings.slice(0, 256))).resolves.toEqual(Array(256).fill('pong'));
  });

  test('may be retried after a failure, and is rejected after a success', async () => {
    let tries = 0;
    const agent = createTestAgent(undefined, {
      handlers: {
        initialize: async () => {
          await Promise.resolve();
          if (++tries === 1) throw authRequired();
        },
      },
    });
    const { connection } = openRawClient(agent);
    await expect(connection.request('initialize', { protocolVersion: 'one' })).rejects.toMatchObject({
      code: -32602,
    });
    const first = connection.request('initialize', { protocolVersion: 1 });
    const behind = connection.request('session/new', setup);
    await expect(first).rejects.toMatchObject({ code: -32000 });
    await expect(behind).rejects.toMatchObject({ code: -32600 });
    await expect(connection.request('initialize', { protocolVersion: 1 })).resolves.toBeDefined();
    await expect(connection.request('initialize', { protocolVersion: 1 })).rejects.toMatchObject({
      code: -32600,
    });
  });

  test.each([
    {},
    { clientCapabilities: null, clientInfo: null },
    { clientCapabilities: 'all', clientInfo: { name: 5 }, _meta: [] },
    { clientCapabilities: { fs: { readTextFile: 'yes', writeTextFile: true } } },
  ])('is lenient with %j', async (params) => {
    const { connection, agent } = openRawClient(createTestAgent());
    await connection.request('initialize', { protocolVersion: 1, ...params });
    expect(agent.client.capabilities.fs?.readTextFile).not.toBe(true);
    expect(agent.client.info).toBeUndefined();
  });

  test('a custom handler sees the client, and adds to the response', async () => {
    const agent = createTestAgent(undefined, {
      capabilities: { loadSession: true, _meta: { a: 1 } },
      meta: { both: 1, mine: 1 },
      handlers: {
        'session/load': () => ({}),
        'session/list': () => ({ sessions: [] }),
        initialize: ({ clientInfo }): Partial<InitializeResponse> => ({
          protocolVersion: 9,
          agentCapabilities: { sessionCapabilities: { list: {} } },
          _meta: { both: 2, client: clientInfo?.name },
        }),
      },
    });
    const { connection } = openRawClient(agent);
    const clientInfo = { name: 'ide', version: '1' };
    await expect(connection.request('initialize', { protocolVersion: 1, clientInfo })).resolves.toEqual({
      protocolVersion: 1,
      agentInfo: info,
      agentCapabilities: { sessionCapabilities: { list: {} } },
      authMethods: [],
      _meta: { both: 2, mine: 1, client: 'ide' },
    });
    await expect(connection.request('session/list')).resolves.toEqual({ sessions: [] });
    const load = connection.request('session/load', { ...setup, sessionId: 'x' });
    await expect(load).rejects.toMatchObject({ code: -32601 });
  });

  test('the agent sends nothing before it', async () => {
    const { agent, received } = openRawClient(createTestAgent());
    const update = { sessionUpdate: 'agent_message_chunk', content: text } as const;
    await expect(agent.client.notify('session/update', { sessionId: 's1', update })).rejects.toMatchObject({
      code: 'not-initialized',
    });
    await expect(agent.client.requestExtension('_a/b', {})).rejects.toMatchObject({
      code: 'not-initialized',
    });
    expect(received).toEqual([]);
  });
});

describe('turns', () => {
  test('a second prompt for the same session is rejected by its id; the first continues', async () => {
    const end = createDeferred();
    const agent = createTestAgent(async () => {
      await end.promise;
      return { stopReason: 'end_turn' };
    });
    const { connection } = await open(agent);
    const first = connection.request('session/prompt', prompt);
    await expect(connection.request('session/prompt', prompt)).rejects.toMatchObject({
      code: -32600,
      data: { sessionId: 's1' },
    });
    end.resolve();
    await expect(first).resolves.toEqual({ stopReason: 'end_turn' });
  });

  test('concurrent turns can be allowed; a cancel ends them all', async () => {
    const agent = createTestAgent(
      async ({ signal }) => {
        await untilAborted(signal);
        return { stopReason: 'end_turn' };
      },
      { concurrentPrompts: 'allow' },
    );
    const { connection } = await open(agent);
    const answers = Promise.all([
      connection.request('session/prompt', prompt),
      connection.request('session/prompt', prompt),
    ]);
    await connection.notify('session/cancel', { sessionId: 's1' });
    await expect(answers).resolves.toEqual([{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }]);
  });

  test('session/cancel sent as a request cancels, and is answered {}', async () => {
    const seen: unknown[] = [];
    const agent = createTestAgent(
      async ({ signal }) => {
        await untilAborted(signal);
        return { stopReason: 'end_turn' };
      },
      { handlers: { 'session/cancel': ({ sessionId }) => void seen.push(sessionId) } },
    );
    const { connection } = await open(agent);
    const answer = connection.request('session/prompt', prompt);
    await expect(connection.request('session/cancel', { sessionId: 's1' })).resolves.toEqual({});
    await expect(answer).resolves.toEqual({ stopReason: 'cancelled' });
    await expect(connection.request('session/cancel', { sessionId: 'x' })).rejects.toMatchObject({
      code: -32002,
      data: { sessionId: 'x' },
    });
    await expect(connection.request('session/cancel', {})).rejects.toMatchObject({ code: -32602 });
    expect(seen).toEqual(['s1']);
  });

  test('a session/cancel that names no open session is ignored and reported', async () => {
    const { connection, diagnostics } = await open(createTestAgent());
    await connection.notify('session/cancel', { sessionId: 'x' });
    await connection.notify('session/cancel', { sessionId: 1 });
    await connection.notify('session/cancel', { sessionId: 's1' });
    await expect(connection.request('session/prompt', prompt)).resolves.toEqual({ stopReason: 'end_turn' });
    expect(diagnostics).toMatchObject([
      { code: 'unknown-session', method: 'session/cancel', sessionId: 'x' },
      { code: 'invalid-params', method: 'session/cancel' },
    ]);
  });

  test('open requests of a cancelled turn settle at once, and the client is notified', async () => {
    const open4 = createDeferred();
    const outcomes: unknown[] = [];
    const agent = createTestAgent(async ({ client, sessionId, signal }) => {
      const all = [
        client.request('session/request_permission', permission),
        client.request('fs/read_text_file', { sessionId, path: '/a' }).catch((error: unknown) => error),
        client.requestExtension('_a/b', {}).catch((error: unknown) => error),
        client.request('elicitation/create', {
          mode: 'form',
          sessionId,
          message: 'm',
          requestedSchema: {},
        }),
      ];
      outcomes.push(...(await Promise.all(all)));
      // The user is not asked any more.
      outcomes.push(await client.request('session/request_permission', permission));
      expect(signal.aborted).toBe(true);
      return { stopReason: 'end_turn' };
    });
    let asked = 0;
    const wait = (): Promise<unknown> => {
      if (++asked === 4) open4.resolve();
      return new Promise(() => {});
    };
    const { connection, received } = await open(
      agent,
      {
        'session/request_permission': wait,
        'fs/read_text_file': wait,
        '_a/b': wait,
        'elicitation/create': wait,
      },
      { fs: { readTextFile: true }, elicitation: { form: {} } },
    );
    const answer = connection.request('session/prompt', prompt);
    await open4.promise;
    await connection.notify('session/cancel', { sessionId: 's1' });
    await expect(answer).resolves.toEqual({ stopReason: 'cancelled' });
    expect(outcomes).toMatchObject([
      { outcome: { outcome: 'cancelled' } },
      { name: 'RpcError', code: -32800 },
      { name: 'RpcError', code: -32800 },
      { action: 'cancel' },
      { outcome: { outcome: 'cancelled' } },
    ]);
    expect(received).toHaveLength(4);
  });

  test('a permission request answered "cancelled" cancels its turn before session/cancel arrives', async () => {
    const outcomes: unknown[] = [];
    const agent = createTestAgent(async ({ client, signal }) => {
      outcomes.push(await client.request('session/request_permission', permission), signal.aborted);
      return { stopReason: 'end_turn' };
    });
    const { connection, diagnostics } = await open(agent, {
      'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
    });
    await expect(connection.request('session/prompt', prompt)).resolves.toEqual({ stopReason: 'cancelled' });
    await connection.notify('session/cancel', { sessionId: 's1' });
    expect(outcomes).toEqual([{ outcome: { outcome: 'cancelled' } }, true]);
    expect(diagnostics).toEqual([]);
  });

  test('a response to a withdrawn permission request causes no diagnostic', async () => {
    const asked = createDeferred();
    const answered = createDeferred<unknown>();
    const agent = createTestAgent(async ({ client }) => {
      await client.request('session/request_permission', permission);
      return { stopReason: 'end_turn' };
    });
    const { connection, diagnostics } = await open(agent, {
      'session/request_permission': () => {
        asked.resolve();
        return answered.promise;
      },
    });
    const answer = connection.request('session/prompt', prompt);
    await asked.promise;
    await connection.notify('session/cancel', { sessionId: 's1' });
    await expect(answer).resolves.toEqual({ stopReason: 'cancelled' });
    answered.resolve({ outcome: { outcome: 'cancelled' } });
    await expect(connection.request('session/prompt', { ...prompt, sessionId: 'x' })).rejects.toMatchObject({
      code: -32002,
    });
    expect(diagnostics).toEqual([]);
  });

  test('an aborted request does not cancel the turn', async () => {
    const caught: unknown[] = [];
    const agent = createTestAgent(async ({ client }) => {
      const signal = AbortSignal.abort();
      await client
        .request('session/request_permission', permission, { signal })
        .catch((error: unknown) => caught.push(error));
      return { stopReason: 'end_turn' };
    });
    const { connection } = await open(agent);
    await expect(connection.request('session/prompt', prompt)).resolves.toEqual({ stopReason: 'end_turn' });
    expect(caught).toMatchObject([{ code: -32800 }]);
  });

  test('the end of the connection cancels the turn', async () => {
    const ended = createDeferred<unknown>();
    const agent = createTestAgent(async ({ signal }) => {
      await untilAborted(signal);
      ended.resolve(signal.reason);
      return { stopReason: 'end_turn' };
    });
    const { connection } = await open(agent);
    const answer = connection.request('session/prompt', prompt);
    await connection.notify('session/cancel', { sessionId: 'x' });
    const closed = expect(answer).rejects.toMatchObject({ code: 'closed' });
    await connection.close();
    await closed;
    await ended.promise;
  });

  test('a session that could not be closed stays open; a deleted one does not', async () => {
    let refusals = 1;
    const agent = createTestAgent(undefined, {
      capabilities: { sessionCapabilities: { close: {}, delete: {} } },
      handlers: {
        'session/close': () => {
          if (refusals-- > 0) throw new RpcError(-32603, 'busy');
        },
        'session/delete': () => {},
      },
    });
    const { connection } = await open(agent);
    await expect(connection.request('session/close', { sessionId: 's1' })).rejects.toMatchObject({
      message: 'busy',
    });
    await expect(connection.request('session/prompt', prompt)).resolves.toBeDefined();
    await expect(connection.request('session/delete', { sessionId: 'never heard of' })).resolves.toEqual({});
    await expect(connection.request('session/delete', { sessionId: 's1' })).resolves.toEqual({});
    await expect(connection.request('session/prompt', prompt)).rejects.toMatchObject({ code: -32002 });
  });

  test('a session is not usable before the response that opens it, or if that fails', async () => {
    const loaded = createDeferred();
    const agent = createTestAgent(undefined, {
      capabilities: { loadSession: true },
      handlers: { 'session/load': () => loaded.promise.then(() => ({})) },
    });
    const { connection } = await open(agent);
    const load = connection.request('session/load', { ...setup, sessionId: 'old' });
    const early = connection.request('session/prompt', { ...prompt, sessionId: 'old' });
    await expect(early).rejects.toMatchObject({ code: -32002 });
    loaded.reject(new RpcError(-32002, 'no such session'));
    await expect(load).rejects.toMatchObject({ code: -32002 });
    const late = connection.request('session/prompt', { ...prompt, sessionId: 'old' });
    await expect(late).rejects.toMatchObject({ code: -32002 });
  });
});

describe('what a handler gives', () => {
  test('an RpcError is sent unchanged; other errors are sent without details', async () => {
    const agent = createTestAgent(undefined, {
      handlers: {
        'session/set_mode': ({ modeId }) => {
          throw modeId === 'rpc' ? authRequired('log in first') : new Error('the key is 12345');
        },
      },
    });
    const { connection, diagnostics } = await open(agent);
    const call = (modeId: string): Promise<unknown> =>
      connection.request('session/set_mode', { sessionId: 's1', modeId });
    await expect(call('rpc')).rejects.toMatchObject({ code: -32000, message: 'log in first' });
    await expect(call('other')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(diagnostics).toMatchObject([{ code: 'handler-failed', error: { message: 'the key is 12345' } }]);
  });

  test.each([
    ['{"stopReason":"bored"}', 'stopReason'],
    ['{}', 'stopReason'],
    ['{"stopReason":"end_turn","_meta":5}', '_meta'],
    ['[]', ''],
  ])('the result %s is an internal error, and never sent', async (result, path) => {
    const { connection, diagnostics } = await open(createTestAgent(() => careless(result)));
    await expect(connection.request('session/prompt', prompt)).rejects.toMatchObject({ code: -32603 });
    expect(diagnostics).toMatchObject([
      {
        code: 'handler-failed',
        error: { name: 'AcpError', code: 'invalid-result', method: 'session/prompt', path },
      },
    ]);
  });

  test('undefined is sent as an empty object; unknown fields and nulls are sent', async () => {
    const agent = createTestAgent(() => careless('{"stopReason":"end_turn","extra":[1],"_meta":null}'), {
      handlers: { 'session/set_mode': () => {} },
    });
    const { connection } = await open(agent);
    const mode = connection.request('session/set_mode', { sessionId: 's1', modeId: 'm' });
    await expect(mode).resolves.toEqual({});
    await expect(connection.request('session/prompt', prompt)).resolves.toEqual({
      stopReason: 'end_turn',
      extra: [1],
      _meta: null,
    });
  });
});

describe('what an agent sends', () => {
  test.each([
    [{ sessionUpdate: 'agent_message_chunk' }, 'update.content'],
    [{ sessionUpdate: 'tool_call', toolCallId: 't', title: 't', kind: 'guess' }, 'update.kind'],
    [
      { sessionUpdate: 'plan', entries: [{ content: 'a', priority: 'high', status: 'pending' }, {}] },
      'update.entries[1]',
    ],
    [{ sessionUpdate: 'hologram' }, 'update.sessionUpdate'],
    [{ sessionUpdate: 'unknown', raw: {} }, 'update.sessionUpdate'],
  ])('%j is not sent', async (update, path) => {
    const caught: unknown[] = [];
    const agent = createTestAgent(async (context) => {
      // @ts-expect-error: that is the point
      await context.update(update).catch((error: unknown) => caught.push(error));
      return { stopReason: 'end_turn' };
    });
    const { connection, received } = await open(agent);
    await connection.request('session/prompt', prompt);
    expect(caught).toMatchObject([{ code: 'invalid-params', method: 'session/update', path }]);
    expect(received).toEqual([]);
  });

  test('an invalid response rejects with method and path', async () => {
    const caught: unknown[] = [];
    const agent = createTestAgent(async ({ client }) => {
      await client
        .request('session/request_permission', permission)
        .catch((error: unknown) => caught.push(error));
      return { stopReason: 'end_turn' };
    });
    const answers = { 'session/request_permission': () => ({ outcome: { outcome: 'selected' } }) };
    const { connection } = await open(agent, answers);
    await connection.request('session/prompt', prompt);
    expect(caught).toMatchObject([
      { code: 'invalid-result', method: 'session/request_permission', path: 'outcome.optionId' },
    ]);
  });
});

describe('what follows an answer', () => {
  const commands = { sessionUpdate: 'available_commands_update', availableCommands: [] } as const;

  test('an update of a new session follows the response that names it', async () => {
    const agent = createTestAgent(undefined, {
      handlers: {
        'session/new': (_params, { afterAnswer, client }) => {
          afterAnswer(() => client.notify('session/update', { sessionId: 's1', update: commands }));
          return { sessionId: 's1' };
        },
      },
    });
    const { connection, received } = openRawClient(agent);
    await connection.request('initialize', { protocolVersion: 1 });
    const seenAtAnswer = await connection.request('session/new', setup, { read: () => received.length });
    await connection.request('session/prompt', prompt);
    expect(seenAtAnswer).toBe(0);
    expect(received).toMatchObject([{ method: 'session/update' }]);
  });

  test('a prompt keeps this order too', async () => {
    const agent = createTestAgent(({ afterAnswer, client }) => {
      afterAnswer(() => client.notify('session/update', { sessionId: 's1', update: commands }));
      return { stopReason: 'end_turn' };
    });
    const { connection, received } = await open(agent);
    const seenAtAnswer = await connection.request('session/prompt', prompt, { read: () => received.length });
    await connection.request('session/new', setup).catch(() => undefined);
    expect(seenAtAnswer).toBe(0);
    expect(received).toMatchObject([{ method: 'session/update' }]);
  });
});

describe('what is made of params', () => {
  test('the handler receives the valid part, with the raw value', async () => {
    const seen: unknown[] = [];
    const agent = createTestAgent(undefined, {
      handlers: {
        'session/set_mode': (params, { raw, meta, requestId }) =>
          void seen.push(params, raw, meta, requestId),
      },
    });
    const { connection } = await open(agent);
    const raw = { sessionId: 's1', modeId: 'm', _meta: 7, extra: true };
    await connection.request('session/set_mode', raw);
    expect(seen).toEqual([{ sessionId: 's1', modeId: 'm', extra: true }, raw, {}, 3]);
  });

  test.each([
    [{ type: 'http', name: 'n', url: 'https://example.org', headers: [] }, 'mcpServers[0].type'],
    [{ type: 'acp', name: 'n', serverId: 's' }, 'mcpServers[0].command'],
    [{ type: 'pigeon', name: 'n' }, 'mcpServers[0].command'],
  ])('the MCP server %j, not declared, is refused', async (server, path) => {
    const { connection } = await open(createTestAgent());
    const answer = connection.request('session/new', { cwd: '/', mcpServers: [server] });
    await expect(answer).rejects.toMatchObject({ code: -32602, data: { path } });
  });

  test('an MCP server over stdio may name its type', async () => {
    const { connection } = openRawClient(createTestAgent());
    await connection.request('initialize', { protocolVersion: 1 });
    const mcpServers = [{ type: 'stdio', name: 'n', command: '/bin/n', args: [], env: [] }];
    await expect(connection.request('session/new', { cwd: '/', mcpServers })).resolves.toEqual({
      sessionId: 's1',
    });
  });

  test('undeclared additional directories are rejected; an empty list is ignored', async () => {
    const { connection } = openRawClient(createTestAgent());
    await connection.request('initialize', { protocolVersion: 1 });
    const some = connection.request('session/new', { ...setup, additionalDirectories: ['/a'] });
    await expect(some).rejects.toMatchObject({ code: -32602, data: { path: 'additionalDirectories' } });
    const none = connection.request('session/new', { ...setup, additionalDirectories: [] });
    await expect(none).resolves.toEqual({ sessionId: 's1' });
  });
});

describe('options', () => {
  test('declared capabilities need a handler', () => {
    expect(() => createTestAgent(undefined, { capabilities: { loadSession: true } })).toThrow(
      expect.objectContaining({ code: 'invalid-options', method: 'session/load' }),
    );
    expect(() => createTestAgent(undefined, { authMethods: [{ id: 'a', name: 'A' }] })).toThrow(
      expect.objectContaining({ code: 'invalid-options', method: 'authenticate' }),
    );
  });

  test('the types require the basic methods, and valid results', () => {
    // @ts-expect-error: session/prompt is missing
    const incomplete = createAgent({ info, handlers: { 'session/new': () => ({ sessionId: 's1' }) } });
    // @ts-expect-error: a turn ends with a stop reason
    const bored = createTestAgent(() => ({ stopReason: 'bored' }));
    // @ts-expect-error: a session has an id
    const nameless = createTestAgent(undefined, { handlers: { 'session/new': () => ({}) } });
    expect([incomplete, bored, nameless]).toHaveLength(3);
  });

  test.each(['_nothing', '', 'session/new', 'session/cancel', 'initialize', '$/ping'])(
    'no extension has the name "%s"',
    (method) => {
      expect(() => createTestAgent(undefined, { extensions: { [method]: {} } })).toThrow(
        expect.objectContaining({ code: 'invalid-options', method }),
      );
    },
  );
});

describe('unstable', () => {
  test('its methods exist only in the unstable entry', async () => {
    const handlers = {
      'session/new': () => ({ sessionId: 's1' }),
      'session/prompt': () => ({
        stopReason: 'end_turn' as const,
        usage: { totalTokens: 1, inputTokens: 1, outputTokens: 0 },
      }),
      'session/fork': () => ({ sessionId: 's2' }),
    };
    const unstableOptions = { info, capabilities: { sessionCapabilities: { fork: {} } }, handlers };
    const unstable = openRawClient(createUnstableAgent(unstableOptions));
    // @ts-expect-error: the stable entry knows of no such capability
    const stable = openRawClient(createAgent(unstableOptions));
    for (const { connection } of [unstable, stable]) {
      await connection.request('initialize', { protocolVersion: 1 });
      await connection.request('session/new', setup);
    }
    const fork = { sessionId: 's1', cwd: '/' };
    await expect(unstable.connection.request('session/fork', fork)).resolves.toEqual({ sessionId: 's2' });
    await expect(
      unstable.connection.request('session/prompt', { ...prompt, sessionId: 's2' }),
    ).resolves.toMatchObject({ usage: { totalTokens: 1 } });
    await expect(stable.connection.request('session/fork', fork)).rejects.toMatchObject({ code: -32601 });
  });

  test('an announced sub-agent has its own session', async () => {
    const agent = createUnstableAgent({
      info,
      capabilities: { sessionCapabilities: { close: {} } },
      handlers: {
        'session/new': () => ({ sessionId: 's1' }),
        'session/prompt': async (_params, { update, client }) => {
          await update({ sessionUpdate: 'subagent_update', sessionId: 'child' });
          await client.notify('session/update', {
            sessionId: 'child',
            update: { sessionUpdate: 'agent_message_chunk', content: text },
          });
          return { stopReason: 'end_turn' };
        },
        'session/cancel': ({ sessionId }) => void cancelled.push(sessionId),
        'session/close': () => ({}),
      },
    });
    const cancelled: string[] = [];
    const { connection, received } = openRawClient(agent);
    await connection.request('initialize', { protocolVersion: 1, clientCapabilities: { subagents: {} } });
    await connection.request('session/new', setup);
    await connection.request('session/prompt', prompt);
    await connection.request('session/cancel', { sessionId: 'child' });
    expect(received).toHaveLength(2);
    expect(cancelled).toEqual(['child']);
    const toChild = { ...prompt, sessionId: 'child' };
    await expect(connection.request('session/prompt', toChild)).rejects.toMatchObject({ code: -32002 });
    await connection.request('session/close', { sessionId: 's1' });
    const late = connection.request('session/cancel', { sessionId: 'child' });
    await expect(late).rejects.toMatchObject({ code: -32002 });
  });
});
