import { subagentAgent, unstableAgent } from '@parley/conformance';
import { untilAborted } from '@parley/wire';
import { expect, test } from 'vitest';
import {
  launchAgent,
  readReport,
  specSecrets,
  type AgentSpec,
  type HostEvent,
  type McpOverAcpServer,
} from '../src/index.ts';
import { approve, folder } from './harness.ts';

type Scene = Parameters<typeof unstableAgent>[0];

function specOf(scene: Scene, providers?: AgentSpec['providers']): AgentSpec {
  const [command, ...args] = unstableAgent(scene);
  const reach = { by: 'command', command, args } as const;
  return { name: 'unstable', reach, ...(providers !== undefined && { providers }) };
}

async function launch(spec: AgentSpec, onEvent: (event: HostEvent) => void = () => undefined) {
  const clientInfo = { name: 'test', version: '1.0.0' };
  return launchAgent(spec, { cwd: await folder() }, { clientInfo, policy: approve('none'), onEvent });
}

const route = {
  apiType: 'bedrock',
  baseUrl: 'https://gateway.example/v1',
  headers: { authorization: 'Bearer of-the-user' },
};

test('what an agent reports is read', async () => {
  await using agent = await launch(specOf('has'));
  expect(await readReport(agent)).toEqual({
    authStatus: {
      state: 'authenticated',
      accounts: [{ label: 'Claude Max', active: true, email: 'ada@example.com' }],
    },
    providers: [
      {
        providerId: 'main',
        supported: ['anthropic', 'bedrock'],
        required: false,
        current: { apiType: 'anthropic', baseUrl: 'https://api.anthropic.com' },
      },
    ],
  });
});

test.each(['refuses', 'lies'] as const)(
  'an agent that %s reports nothing, and works all the same',
  async (scene) => {
    await using agent = await launch(specOf(scene));
    expect(await readReport(agent)).toEqual({});
    const session = await agent.openSession({ cwd: await folder() });
    expect(await session.prompt([{ type: 'text', text: 'hello' }])).toMatchObject({ stopReason: 'end_turn' });
  },
);

test('configured provider routes reach the agent in order before its first session, and nothing else does', async () => {
  const said: string[] = [];
  const spec = specOf('has', { main: route, other: 'disabled' });
  await using agent = await launch(spec, (event) => {
    if (event.type === 'update') said.push(JSON.stringify(event.view));
  });
  const session = await agent.openSession({ cwd: await folder() });
  await session.prompt([{ type: 'text', text: 'received' }]);
  const [text = ''] = said;
  expect(text.match(/providers\/\w+/gu)).toEqual(['providers/set', 'providers/disable']);
  expect(text).toContain('https://gateway.example/v1');
  expect((await readReport(agent)).providers?.[0]?.current).toBeUndefined();
});

test.each([
  ['refuses them', 'refuses', /did not accept the provider "main": .*Check "providers"/u],
  ['does not declare them', undefined, /did not accept the provider "main": .*does not offer it/u],
] as const)('an agent that %s does not start: no prompt goes elsewhere', async (_name, scene, message) => {
  const [command, ...args] = scene === undefined ? subagentAgent('nested') : unstableAgent(scene);
  const spec = { ...specOf('has', { main: route }), reach: { by: 'command', command, args } as const };
  const started = launch(spec);
  await expect(started).rejects.toMatchObject({ code: 'start-failed' });
  await expect(started).rejects.toThrow(message);
  await expect(started).rejects.not.toThrow(/of-the-user/u);
});

test('the headers of routes are secrets, with and without their scheme', () => {
  expect(specSecrets(specOf('has', { main: route, other: 'disabled' }))).toEqual([
    'Bearer of-the-user',
    'of-the-user',
  ]);
});

/** What the agent said last, as JSON. */
function speech(events: readonly HostEvent[]): unknown {
  const said = events.flatMap((event) =>
    event.type === 'update' &&
    event.view.sessionUpdate === 'agent_message_chunk' &&
    event.view.content.type === 'text'
      ? event.view.content.text
      : [],
  );
  return JSON.parse(said.at(-1) ?? '');
}

test('an MCP server that is offered over ACP answers requests, with notifications, until it is closed', async () => {
  const events: HostEvent[] = [];
  const closing = new AbortController();
  const server: McpOverAcpServer = {
    name: 'tools',
    signal: closing.signal,
    answer: async ({ method, params, signal, notify }) => {
      if (method === 'stay') {
        return untilAborted(new Promise(() => undefined), signal);
      }
      if (method !== 'echo') return { error: { code: -32_601, message: 'Method not found' } };
      await notify('notifications/progress', { progress: 1 });
      return { result: params };
    },
  };
  await using agent = await launch(specOf('has'), (event) => void events.push(event));
  const offered = agent.offerMcp(server);
  expect(offered).toMatchObject({ type: 'acp', name: 'tools' });
  const session = await agent.openSession({
    cwd: await folder(),
    mcpServers: offered === undefined ? [] : [offered],
  });
  const call = async (...requests: readonly object[]): Promise<unknown> => {
    await session.prompt([{ type: 'text', text: `mcp ${JSON.stringify(requests)}` }]);
    return speech(events);
  };

  expect(
    await call(
      { method: 'echo', params: { text: 'hello' } },
      { method: 'other' },
      { method: 'echo', serverId: 'unknown' },
      { method: 5 },
      { method: 'stay', cancelled: true },
    ),
  ).toMatchObject({
    responses: [
      // Errors of MCP are results of ACP.
      { result: { result: { text: 'hello' } } },
      { result: { error: { code: -32_601 } } },
      { error: { code: -32_602 } },
      { error: { code: -32_602 } },
      { error: { code: -32_800 } },
    ],
    notices: [{ requestId: 'mcp-1', method: 'notifications/progress', params: { progress: 1 } }],
  });

  closing.abort();
  expect(await call({ method: 'echo' })).toMatchObject({ responses: [{ error: { code: -32_602 } }] });
});

test('no MCP server is offered over ACP to an agent that does not declare it', async () => {
  const [command, ...args] = subagentAgent('nested');
  await using agent = await launch({ name: 'other', reach: { by: 'command', command, args } });
  const { signal } = new AbortController();
  const answer = () => Promise.reject(new Error('not offered'));
  expect(agent.offerMcp({ name: 'tools', signal, answer })).toBeUndefined();
});
