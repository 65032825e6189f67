import { subagentAgent, unstableAgent } from '@parley/conformance';
import { expect, test } from 'vitest';
import { launchAgent, readReport, specSecrets, type AgentSpec, type HostEvent } from '../src/index.ts';
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
