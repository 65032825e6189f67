import { RpcError } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import {
  careless,
  createDeferred,
  openRawAgent,
  type Answers,
  type RawPeer,
} from '../../../test/raw-peers.ts';
import {
  createClient,
  type AgentCapabilities,
  type Client,
  type ClientConnection,
  type ClientHandlers,
  type ClientOptions,
  type SessionUpdate,
} from '../../index.ts';
import { createClient as createUnstableClient } from '../../unstable.ts';

const info = { name: 'test-client', version: '1.2.3' };
const text = { type: 'text', text: 'hello' } as const;
const setup = { cwd: '/work', mcpServers: [] };
const prompt = { sessionId: 's1', prompt: [text] };
const permission = {
  sessionId: 's1',
  toolCall: { toolCallId: 't' },
  options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
};
const chunk = (content: string, sessionId = 's1'): object => ({
  sessionId,
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

async function open(
  options: TestClientOptions = {},
  answers: Answers = {},
  agentCapabilities: AgentCapabilities = {},
): Promise<Opened> {
  const raw = openRawAgent(createTestClient(options), {
    initialize: () => ({ protocolVersion: 1, agentCapabilities, agentInfo: { name: 'a', version: '1' } }),
    'session/prompt': () => ({ stopReason: 'end_turn' }),
    ...answers,
  });
  await raw.client.initialize();
  await raw.client.agent.request('session/new', setup);
  return raw;
}

/** Waits until the agent's messages so far were handled. */
async function roundTrip({ client }: Opened): Promise<void> {
  await client.agent.requestExtension('_nothing/here', { sessionId: 'none' }).catch(() => {});
}

function textOf(update: SessionUpdate): string {
  return update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
    ? update.content.text
    : '';
}

describe('initialize', () => {
  test("returns the agent's information; a second one is not sent", async () => {
    const { client, received } = await open({}, {}, { loadSession: true });
    expect(client.agent.info).toEqual({ name: 'a', version: '1' });
    expect(client.agent.capabilities).toEqual({ loadSession: true });
    await expect(client.initialize()).rejects.toMatchObject({ code: 'already-initialized' });
    expect(received).toHaveLength(2);
  });

  test('may be repeated after a failure, but not while one is pending', async () => {
    let tries = 0;
    const { client } = openRawAgent(createTestClient(), {
      initialize: () => {
        if (++tries === 1) throw new RpcError(-32603, 'not yet');
        return { protocolVersion: 1 };
      },
    });
    const first = client.initialize();
    await expect(client.initialize()).rejects.toMatchObject({ code: 'already-initialized' });
    await expect(first).rejects.toMatchObject({ code: -32603 });
    await expect(client.initialize()).resolves.toMatchObject({ protocolVersion: 1 });
  });

  test.each([{}, { protocolVersion: '1' }, [], null])(
    'the answer %j is an invalid result',
    async (answer) => {
      const { client } = openRawAgent(createTestClient(), { initialize: () => answer });
      await expect(client.initialize()).rejects.toMatchObject({
        code: 'invalid-result',
        method: 'initialize',
      });
    },
  );

  test('before it, requests of the agent are rejected with -32600 and notifications ignored', async () => {
    const { connection, diagnostics } = openRawAgent(createTestClient());
    await connection.notify('session/update', chunk('early'));
    const question = connection.request('session/request_permission', permission);
    await expect(question).rejects.toMatchObject({ code: -32600 });
    expect(diagnostics).toMatchObject([{ code: 'not-initialized', method: 'session/update' }]);
  });
});

describe('what an agent answers', () => {
  test('an unknown stop reason ends the turn, and its raw value is available', async () => {
    const { client } = await open({}, { 'session/prompt': () => ({ stopReason: 'bored' }) });

    expect(await client.agent.request('session/prompt', prompt)).toStrictEqual({
      stopReason: 'unknown',
      raw: { stopReason: 'bored' },
    });
  });

  test.each([
    ['session/set_mode', [], ''],
    ['session/set_config_option', {}, 'configOptions'],
    ['session/prompt', { stopReason: 7 }, 'stopReason'],
    ['session/prompt', null, ''],
  ] as const)('to %s, %j is an invalid result', async (method, answer, path) => {
    const { client } = await open({}, { [method]: () => answer });
    const params = { ...prompt, modeId: 'm', configId: 'c', value: 'v' };
    await expect(client.agent.request(method, params)).rejects.toMatchObject({
      code: 'invalid-result',
      method,
      path,
    });
  });

  test.each([{ sessionId: 5 }, {}, []])('to session/new, %j is an invalid result', async (answer) => {
    const { client } = openRawAgent(createTestClient(), { 'session/new': () => answer });
    await client.initialize();
    await expect(client.agent.request('session/new', setup)).rejects.toMatchObject({
      code: 'invalid-result',
      method: 'session/new',
    });
  });

  test('null is accepted as an empty object', async () => {
    const answers = { 'session/load': () => null, 'session/set_mode': () => null };
    const { client } = await open({}, answers, { loadSession: true });
    await expect(client.agent.request('session/load', { ...setup, sessionId: 's2' })).resolves.toEqual({});
    const mode = client.agent.request('session/set_mode', { sessionId: 's2', modeId: 'm' });
    await expect(mode).resolves.toEqual({});
  });
});

describe('a prompt with a signal', () => {
  test("is cancelled by session/cancel, and settles with the agent's response", async () => {
    const started = createDeferred();
    const answer = createDeferred<unknown>();
    const opened = await open(
      {},
      {
        'session/prompt': () => {
          started.resolve();
          return answer.promise;
        },
      },
    );
    const { client, received } = opened;
    const controller = new AbortController();
    const turn = client.agent.request('session/prompt', prompt, { signal: controller.signal });
    await started.promise;
    controller.abort();
    await roundTrip(opened);
    expect(received.map(({ method }) => method)).toContain('session/cancel');
    answer.resolve({ stopReason: 'cancelled', _meta: { steps: 3 } });
    await expect(turn).resolves.toEqual({ stopReason: 'cancelled', _meta: { steps: 3 } });
  });

  test('is not sent when the signal is aborted already', async () => {
    const { client, received } = await open();
    const turn = client.agent.request('session/prompt', prompt, { signal: AbortSignal.abort() });
    await expect(turn).resolves.toEqual({ stopReason: 'cancelled' });
    expect(received).toHaveLength(2);
  });

  test('ignores the signal after its response', async () => {
    const opened = await open();
    const controller = new AbortController();
    await opened.client.agent.request('session/prompt', prompt, { signal: controller.signal });
    controller.abort();
    await roundTrip(opened);
    expect(opened.received.map(({ method }) => method)).not.toContain('session/cancel');
  });
});

describe('questions to the user', () => {
  test('the answer of a handler after the cancel is ignored', async () => {
    const asked = createDeferred();
    const decided = createDeferred<{ outcome: { outcome: 'selected'; optionId: string } }>();
    const opened = await open({
      handlers: {
        'session/request_permission': () => {
          asked.resolve();
          return decided.promise;
        },
      },
    });
    const { client, connection, diagnostics } = opened;
    const question = connection.request('session/request_permission', permission);
    await asked.promise;
    await client.agent.notify('session/cancel', { sessionId: 's1' });
    decided.resolve({ outcome: { outcome: 'selected', optionId: 'yes' } });
    await expect(question).resolves.toEqual({ outcome: { outcome: 'cancelled' } });
    expect(diagnostics).toEqual([]);
  });

  test('closing a session withdraws them', async () => {
    const asked = createDeferred();
    const { client, connection } = await open(
      {
        handlers: {
          'session/request_permission': () => {
            asked.resolve();
            return new Promise(() => {});
          },
        },
      },
      { 'session/close': () => ({}) },
      { sessionCapabilities: { close: {} } },
    );
    const question = connection.request('session/request_permission', permission);
    await asked.promise;
    await client.agent.request('session/close', { sessionId: 's1' });
    await expect(question).resolves.toEqual({ outcome: { outcome: 'cancelled' } });
  });

  test('a failing handler or an invalid result is answered with -32603', async () => {
    let asked = 0;
    const { connection, diagnostics } = await open({
      handlers: {
        'session/request_permission': () => {
          asked++;
          if (asked === 1) throw new Error('secret');
          return asked === 2
            ? careless('{"outcome":{"outcome":"maybe"}}')
            : { outcome: { outcome: 'cancelled' } };
        },
      },
    });
    const ask = (): Promise<unknown> => connection.request('session/request_permission', permission);
    await expect(ask()).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    await expect(ask()).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    await expect(ask()).resolves.toEqual({ outcome: { outcome: 'cancelled' } });
    expect(diagnostics).toMatchObject([
      { code: 'handler-failed', error: { message: 'secret' } },
      { code: 'handler-failed', error: { code: 'invalid-result', path: 'outcome.outcome' } },
    ]);
  });

  test('undeclared methods, and those without a handler, are answered with -32601', async () => {
    const { connection } = await open({ handlers: { 'fs/read_text_file': () => ({ content: '' }) } });
    for (const method of [
      'fs/read_text_file',
      'fs/write_text_file',
      'terminal/create',
      'session/prompt',
      'x',
    ]) {
      const answer = connection.request(method, { sessionId: 's1', path: '/a' });
      await expect(answer).rejects.toMatchObject({ code: -32601, data: { method } });
    }
  });
});

describe('updates', () => {
  test('of one session are handled in order, without delaying other sessions', async () => {
    const seen: string[] = [];
    const first = createDeferred();
    const opened = await open({
      handlers: {
        'session/update': async ({ update, sessionId }, context) => {
          const { raw } = context;
          if (textOf(update) === '1') await first.promise;
          seen.push(`${sessionId} ${textOf(update)}`);
          expect(context.raw).toBe(raw);
        },
      },
    });
    const { connection } = opened;
    await connection.notify('session/update', chunk('1'));
    await connection.notify('session/update', chunk('2'));
    await connection.notify('session/update', chunk('other', 's2'));
    await roundTrip(opened);
    expect(seen).toEqual(['s2 other']);
    first.resolve();
    await opened.client.agent.request('session/prompt', prompt);
    expect(seen).toEqual(['s2 other', 's1 1', 's1 2']);
  });

  test('the handler receives the valid part, with the raw value', async () => {
    const seen: unknown[] = [];
    const opened = await open({
      handlers: {
        'session/update': ({ update }, { raw, meta, isLate, agent }) => {
          seen.push(update, raw, meta, isLate, agent.info?.name);
        },
      },
    });
    const update = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', kind: 'guess', extra: 1 };
    const params = { sessionId: 's1', update, _meta: { m: 1 } };
    await opened.connection.notify('session/update', params);
    await opened.client.agent.request('session/prompt', prompt);
    const { kind: _kind, ...kept } = update;
    expect(seen).toEqual([kept, params, { m: 1 }, false, 'a']);
  });

  test('a throwing handler is reported, and the next update is delivered', async () => {
    const seen: string[] = [];
    const opened = await open({
      handlers: {
        'session/update': ({ update }) => {
          if (textOf(update) === 'bad') throw new Error('oh');
          seen.push(textOf(update));
        },
      },
    });
    await opened.connection.notify('session/update', chunk('bad'));
    await opened.connection.notify('session/update', chunk('good'));
    await opened.client.agent.request('session/prompt', prompt);
    expect(seen).toEqual(['good']);
    expect(opened.diagnostics).toMatchObject([{ code: 'handler-failed', method: 'session/update' }]);
  });
});

describe('loading', () => {
  const declared = { loadSession: true };
  const files = {
    capabilities: { fs: { readTextFile: true } },
    handlers: { 'fs/read_text_file': () => ({ content: 'text' }) },
  };

  test('while a session loads, the agent can request files, and no update counts as late', async () => {
    const late: boolean[] = [];
    const options = { ...files, handlers: { ...files.handlers, 'session/update': spyLate } };
    function spyLate(_params: unknown, { isLate }: { readonly isLate: boolean }): void {
      late.push(isLate);
    }
    const { client } = await open(
      options,
      {
        'session/load': async (_params, { connection }) => {
          await connection.request('fs/read_text_file', { sessionId: 's1', path: '/a' });
          await connection.notify('session/update', chunk('replayed'));
          return {};
        },
      },
      declared,
    );
    await client.agent.request('session/prompt', prompt);
    await client.agent.request('session/load', { ...setup, sessionId: 's1' });
    expect(late).toEqual([false]);
  });

  test('a session that could not be loaded is not open', async () => {
    const { client, connection } = await open(
      files,
      {
        'session/load': () => {
          throw new RpcError(-32002, 'no such session');
        },
      },
      declared,
    );
    const load = client.agent.request('session/load', { ...setup, sessionId: 'old' });
    await expect(load).rejects.toMatchObject({ code: -32002 });
    const read = connection.request('fs/read_text_file', { sessionId: 'old', path: '/a' });
    await expect(read).rejects.toMatchObject({ code: -32002 });
  });
});

describe('what a handler sends', () => {
  test('has the trace context of the request, until it ends', async () => {
    const settled = createDeferred<unknown>();
    const started = createDeferred();
    const opened = await open(
      {
        extensions: {
          '_example.org/work': {
            handle: (_params, { agent }) =>
              agent
                .requestExtension('_example.org/more', {})
                .catch((error: unknown) => settled.resolve(error)),
          },
        },
      },
      {
        '_example.org/more': () => {
          started.resolve();
          return new Promise(() => {});
        },
      },
    );
    const controller = new AbortController();
    const params = { _meta: { traceparent: '00-1-2-01' } };
    const work = opened.connection.request('_example.org/work', params, { signal: controller.signal });
    await started.promise;
    controller.abort();
    await expect(work).rejects.toMatchObject({ code: -32800 });
    await expect(settled.promise).resolves.toMatchObject({ code: -32800 });
    expect(opened.received.at(-1)).toEqual({ method: '_example.org/more', params });
  });
});

describe('options', () => {
  test('declared capabilities need a handler', () => {
    expect(() => createTestClient({ capabilities: { terminal: true } })).toThrow(
      expect.objectContaining({ code: 'invalid-options', method: 'terminal/create' }),
    );
  });
});

describe('unstable', () => {
  test('an announced sub-agent can ask the user', async () => {
    const raw = openRawAgent(
      createUnstableClient({
        info,
        capabilities: { subagents: {} },
        handlers: {
          'session/update': () => {},
          'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }),
        },
      }),
    );
    await raw.client.initialize();
    await raw.client.agent.request('session/new', setup);
    const question = { ...permission, sessionId: 'child' };
    await expect(raw.connection.request('session/request_permission', question)).rejects.toMatchObject({
      code: -32002,
    });
    const update = { sessionUpdate: 'subagent_update', sessionId: 'child' };
    await raw.connection.notify('session/update', { sessionId: 's1', update });
    await expect(raw.connection.request('session/request_permission', question)).resolves.toMatchObject({
      outcome: { optionId: 'yes' },
    });
  });

  test('updates of a sub-agent wait until the handler of its announcement is done', async () => {
    const announced = createDeferred();
    const handled: string[] = [];
    const raw = openRawAgent(
      createUnstableClient({
        info,
        capabilities: { subagents: {} },
        handlers: {
          'session/update': async ({ sessionId, update: { sessionUpdate } }) => {
            if (sessionUpdate === 'subagent_update') await announced.promise;
            handled.push(`${sessionId}: ${sessionUpdate}`);
          },
          'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
        },
      }),
    );
    await raw.client.initialize();
    await raw.client.agent.request('session/new', setup);
    const update = { sessionUpdate: 'subagent_update', sessionId: 'child' };
    await raw.connection.notify('session/update', { sessionId: 's1', update });
    await raw.connection.notify('session/update', chunk('from the child', 'child'));
    const question = { ...permission, sessionId: 'child' };
    const asked = raw.connection.request('session/request_permission', question).then(() => {
      handled.push('asked');
    });
    // Any session has a lane of its own: its request is served in between.
    const other = { ...permission, sessionId: 'other' };
    await expect(raw.connection.request('session/request_permission', other)).rejects.toMatchObject({
      code: -32002,
    });
    expect(handled).toEqual([]);

    announced.resolve();
    await asked;

    expect(handled).toEqual(['s1: subagent_update', 'child: agent_message_chunk', 'asked']);
  });
});
