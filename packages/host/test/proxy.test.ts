import { manualClock } from '@parley/conformance';
import {
  connect,
  isDeeper,
  memoryPair,
  RpcError,
  type Connection,
  type ConnectionOptions,
  type Transport,
} from '@parley/wire';
import { expect, onTestFinished, test } from 'vitest';
import { proxyAgent, type AgentProxy, type ProxyOptions } from '../src/index.ts';

interface Stage {
  readonly client: Connection;
  readonly proxy: AgentProxy;
  /** The agent's ends, one for each connection. */
  readonly agents: Connection[];
  readonly reports: string[];
  /** Breaks the connection that was made last. */
  cut(): Promise<void>;
}

/** A client and an agent with a proxy between them; the agent does what a test says. */
function stage(
  agent: ConnectionOptions,
  options: ConnectionOptions &
    Pick<ProxyOptions, 'startTimeoutMs' | 'openTimeoutMs' | 'restart'> & {
      readonly open?: (attempt: number) => void;
    } = {},
): Stage {
  const {
    open,
    restart = { attempts: 3, delayMs: 1 },
    startTimeoutMs,
    openTimeoutMs,
    clock,
    ...clientOptions
  } = options;
  const agents: Connection[] = [];
  const reports: string[] = [];
  let cut = (): Promise<void> => Promise.resolve();
  const [ours, theirs] = memoryPair();
  let attempt = 0;
  const proxy = proxyAgent({
    client: theirs,
    open: async (): Promise<Transport> => {
      open?.(++attempt);
      const [near, far] = memoryPair();
      agents.push(connect(far, agent));
      cut = () => far.close({ code: 'failed', message: 'cut' });
      return near;
    },
    restart,
    report: (message) => reports.push(message),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(openTimeoutMs !== undefined && { openTimeoutMs }),
    ...(clock !== undefined && { clock }),
  });
  const client = connect(ours, clientOptions);
  onTestFinished(async () => {
    await client.close();
    await Promise.all(agents.map((connection) => connection.close()));
  });
  return { client, proxy, agents, reports, cut: () => cut() };
}

const hello = { protocolVersion: 1, clientInfo: { name: 'test', version: '1' } };
const resumes = { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } };

test('every message passes in both directions, known or not, with its params, results and errors', async () => {
  const heard: unknown[] = [];
  const { client, agents } = stage(
    {
      onRequest: async (method, params, { connection }) => {
        if (method === '_vendor/fail') throw new RpcError(-31_000, 'no', { why: 'because' });
        if (method === '_vendor/ask') return { asked: await connection.request('_vendor/back', params) };
        return { method, params };
      },
      onNotification: (method, params) => void heard.push([method, params]),
    },
    {
      onRequest: (method, params) => ({ method, params }),
      onNotification: (method) => void heard.push(method),
    },
  );
  expect(await client.request('initialize', hello)).toEqual({ method: 'initialize', params: hello });
  await expect(client.request('_vendor/fail', {})).rejects.toMatchObject({
    code: -31_000,
    data: { why: 'because' },
  });
  expect(await client.request('_vendor/ask', [1, { deep: [null] }])).toEqual({
    asked: { method: '_vendor/back', params: [1, { deep: [null] }] },
  });
  await client.notify('_vendor/note', { a: 1 });
  await agents[0]?.notify('session/update', { sessionId: 's' });
  await expect.poll(() => heard).toEqual([['_vendor/note', { a: 1 }], 'session/update']);
});

test('values of the agent that are nested too deeply are left out', async () => {
  const lists: unknown = JSON.parse('['.repeat(500) + ']'.repeat(500));
  const heard: unknown[] = [];
  const { client, agents } = stage(
    { onRequest: (method) => (method === '_vendor/ask' ? { one: 1, deep: lists } : {}) },
    { onNotification: (_method, params) => void heard.push(params) },
  );
  await client.request('initialize', hello);

  const answer = await client.request('_vendor/ask', {});
  await agents[0]?.notify('session/update', {
    update: { rawInput: { command: 'ls', x: lists }, title: 'T' },
  });

  expect(answer).toMatchObject({ one: 1 });
  expect(isDeeper(answer, 100)).toBe(false);
  await expect.poll(() => heard).toEqual([{ update: { rawInput: 'left out: too many levels', title: 'T' } }]);
});

test.each([
  ['initialize', { startTimeoutMs: 50 }],
  ['session/new', { openTimeoutMs: 50 }],
  ['session/load', { openTimeoutMs: 50 }],
  ['session/resume', { openTimeoutMs: 50 }],
])('%s that is not answered in time is answered with an error, once', async (method, limits) => {
  const clock = manualClock();
  const heard: string[] = [];
  let answer = (): void => {};
  const { client, proxy } = stage(
    {
      onRequest: (name, _params, { signal }) => {
        heard.push(name);
        if (name !== method) return {};
        signal.addEventListener('abort', () => heard.push('cancelled'));
        return new Promise((resolve) => {
          answer = () => resolve({ late: true });
        });
      },
    },
    { ...limits, clock },
  );
  const hi = client.request('initialize', hello);
  if (method !== 'initialize') await hi;
  const asked = method === 'initialize' ? hi : client.request(method, { sessionId: 's', cwd: '/' });
  asked.catch(() => undefined);
  await expect.poll(() => heard).toContain(method);
  clock.advance(49);
  clock.advance(1);
  await expect(asked).rejects.toMatchObject({ message: expect.stringContaining(`no answer to ${method}`) });
  if (method === 'initialize') {
    await expect(proxy.ended).resolves.toMatchObject({ by: 'agent' });
    return;
  }
  await expect.poll(() => heard).toContain('cancelled');
  answer();
  await expect(client.request('session/list', {})).resolves.toEqual({});
});

test('the timeout of session/new pauses while the client has a question open', async () => {
  const clock = manualClock();
  let decide = (): void => {};
  let isAsked = false;
  const { client } = stage(
    {
      onRequest: async (name, _params, { connection }) => {
        if (name === 'session/new') await connection.request('elicitation/create', {});
        return { sessionId: 's' };
      },
    },
    {
      openTimeoutMs: 50,
      clock,
      onRequest: () => {
        isAsked = true;
        return new Promise((resolve) => {
          decide = () => resolve({ action: 'accept' });
        });
      },
    },
  );
  await client.request('initialize', hello);
  const asked = client.request('session/new', {});
  await expect.poll(() => isAsked).toBe(true);
  clock.advance(500);
  decide();
  await expect(asked).resolves.toEqual({ sessionId: 's' });
});

test('cancellation passes in both directions, with translated request ids', async () => {
  const cancelled: string[] = [];
  const wait =
    (side: string) =>
    (_method: string, _params: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          cancelled.push(side);
          reject(signal.reason);
        });
      });
  const { client, agents } = stage(
    {
      onRequest: (method, params, context) =>
        method === 'initialize' ? {} : wait('agent')(method, params, context),
    },
    { onRequest: wait('client') },
  );
  await client.request('initialize', hello);
  for (const side of [client, agents[0]]) {
    const cancel = new AbortController();
    const asked = side?.request('wait', {}, { signal: cancel.signal });
    await side?.notify('after', {});
    cancel.abort();
    await expect(asked).rejects.toMatchObject({ code: -32800 });
  }
  await expect.poll(() => cancelled).toEqual(['agent', 'client']);
});

test('an agent that connects after the client has left is released', async () => {
  const [, theirs] = memoryPair();
  const [near, far] = memoryPair();
  const agent = connect(far);
  let reach = (): void => {};
  const proxy = proxyAgent({
    client: theirs,
    open: () =>
      new Promise((resolve) => {
        reach = () => {
          resolve(near);
        };
      }),
    report: () => {},
  });
  await proxy.end();
  reach();
  expect(await agent.closed).toMatchObject({ code: 'end-of-input' });
});

test('nothing reaches the agent before initialize', async () => {
  const reached: string[] = [];
  const { client } = stage({ onRequest: (method) => void reached.push(method) });
  await expect(client.request('session/new', {})).rejects.toMatchObject({ code: -32600 });
  await client.request('initialize', hello);
  expect(reached).toEqual(['initialize']);
});

test('a lost connection fails pending requests, and sessions continue over a new one', async () => {
  const reached: unknown[] = [];
  const cancelled: unknown[] = [];
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const { client, agents, reports, cut } = stage(
    {
      onRequest: async (method, params, { connection }) => {
        reached.push([method, params]);
        if (method === 'initialize') return resumes;
        if (method === 'session/new') return { sessionId: 's1' };
        if (method === 'session/prompt' && agents.length === 1) {
          await connection.request('session/request_permission', { sessionId: 's1' });
        }
        return {};
      },
    },
    {
      onRequest: (_method, _params, { signal }) => {
        isAsked();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            cancelled.push(signal.reason);
            reject(signal.reason);
          });
        });
      },
    },
  );
  await client.request('initialize', hello);
  await client.request('session/new', { cwd: '/work', mcpServers: [] });
  const turn = client.request('session/prompt', { sessionId: 's1', prompt: [] });
  await asked;
  await Promise.all([
    expect(turn).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('the outcome of this request is unknown'),
    }),
    cut(),
  ]);
  expect(await client.request('session/prompt', { sessionId: 's1', prompt: ['again'] })).toEqual({});
  expect(cancelled).toHaveLength(1);
  expect(agents).toHaveLength(2);
  expect(reports).toEqual([expect.stringContaining('connecting again')]);
  expect(reached).toEqual([
    ['initialize', hello],
    ['session/new', { cwd: '/work', mcpServers: [] }],
    ['session/prompt', { sessionId: 's1', prompt: [] }],
    ['initialize', hello],
    ['session/resume', { sessionId: 's1', cwd: '/work', mcpServers: [] }],
    ['session/prompt', { sessionId: 's1', prompt: ['again'] }],
  ]);
});

test('a replay for the same session does not reach the client twice', async () => {
  const heard: unknown[] = [];
  const { client, agents } = stage(
    {
      onRequest: async (method, _params, { connection }) => {
        if (method === 'initialize') return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
        if (method === 'session/new') return { sessionId: 's1' };
        await connection.notify('session/update', { sessionId: 's1', of: method });
        return {};
      },
    },
    { onNotification: (_method, params) => void heard.push(params) },
  );
  await client.request('initialize', hello);
  await client.request('session/new', { cwd: '/work', mcpServers: [] });
  await agents[0]?.close();
  await client.request('session/prompt', { sessionId: 's1' });
  expect(heard).toEqual([{ sessionId: 's1', of: 'session/prompt' }]);
});

test('an answer to a question of the lost connection is ignored', async () => {
  const questions: ((answer: object) => void)[] = [];
  const answers: unknown[] = [];
  const { client, agents } = stage(
    { onRequest: (method) => (method === 'initialize' ? resumes : {}) },
    { onRequest: () => new Promise((resolve) => questions.push(resolve)) },
  );
  await client.request('initialize', hello);
  const first = agents[0]?.request('question', {}).catch(() => 'lost');
  await expect.poll(() => questions.length).toBe(1);
  await agents[0]?.close();
  await expect.poll(() => agents.length).toBe(2);
  const second = agents[1]?.request('question', {}).then((answer) => answers.push(answer));
  await expect.poll(() => questions.length).toBe(2);
  questions[0]?.({ to: 'first' });
  questions[1]?.({ to: 'second' });
  await second;
  expect(answers).toEqual([{ to: 'second' }]);
  expect(await first).toBe('lost');
});

test('an unreachable agent fails the pending requests and ends the proxy', async () => {
  const { client, proxy, agents } = stage(
    { onRequest: () => resumes },
    {
      restart: { attempts: 2, delayMs: 1 },
      open: (attempt) => {
        if (attempt > 1) throw new Error('unreachable');
      },
    },
  );
  await client.request('initialize', hello);
  await agents[0]?.close();
  await expect(client.request('session/new', {})).rejects.toThrow(/unreachable|closed/);
  expect(await proxy.ended).toEqual({ by: 'agent', message: 'unreachable' });
  expect(agents).toHaveLength(1);
});

test('an agent that is unreachable for half a minute is reached again, and its loss is reported once', async () => {
  const clock = manualClock();
  let isDown = false;
  const { client, agents, reports } = stage(
    { onRequest: () => resumes },
    {
      clock,
      restart: {},
      open: () => {
        if (isDown) throw new Error('down');
      },
    },
  );
  await client.request('initialize', hello);
  isDown = true;
  await agents[0]?.close();
  const answer = client.request('session/list', {});
  for (let second = 0; second < 29; second += 1) {
    await new Promise(setImmediate);
    clock.advance(1000);
  }
  isDown = false;
  await new Promise(setImmediate);
  clock.advance(2000);

  expect(await answer).toEqual(resumes);
  expect(reports).toHaveLength(1);
});

test('an agent that was never reachable is reported in the response to initialize', async () => {
  const { client, proxy } = stage(
    {},
    {
      open: () => {
        throw new Error('connect ECONNREFUSED');
      },
    },
  );
  await expect(client.request('initialize', hello)).rejects.toThrow(/ECONNREFUSED|closed/);
  expect(await proxy.ended).toMatchObject({ by: 'agent' });
});

test('when the client ends, its turns are cancelled and answered, and the agent is released', async () => {
  const cancels: unknown[] = [];
  let end = (): void => {};
  const { client, proxy, agents } = stage({
    onRequest: (method) => {
      if (method !== 'session/prompt') return {};
      return new Promise((resolve) => {
        end = () => resolve({ stopReason: 'cancelled' });
      });
    },
    onNotification: (method, params) => {
      cancels.push([method, params]);
      if (method === 'session/cancel') end();
    },
  });
  await client.request('initialize', hello);
  const turn = client.request('session/prompt', { sessionId: 's1' });
  await client.notify('_vendor/sync', {});
  await expect.poll(() => cancels.length).toBe(1);
  const [ended] = await Promise.all([proxy.ended, proxy.end(), turn]);
  expect(ended).toMatchObject({ by: 'client' });
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  expect(cancels).toEqual([
    ['_vendor/sync', {}],
    ['session/cancel', { sessionId: 's1' }],
  ]);
  expect((await agents[0]?.closed)?.code).toBe('end-of-input');
});
