import { createAapServer } from '@parley/aap/server';
import { delegatingAgent, faultyAgent } from '@parley/conformance';
import { filesStore, SharedEventLogs } from '@parley/host';
import { findSandboxEngine } from '@parley/workspace/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import {
  createBridgedAgent,
  createToolEndpoints,
  type BridgedAgent,
  type BridgeOptions,
} from '../src/index.ts';
import { fakeRun } from './fake-run.ts';
import { folder } from './scripted-agent.ts';
import { heldCalls, send } from './send.ts';

const clientInfo = { name: 'test', version: '1.0.0' };
const isHeld = (await findSandboxEngine({ projects: [] })).name !== 'none';

async function bridgeTo(
  [command = '', ...args]: readonly string[],
  options: Partial<BridgeOptions> = {},
): Promise<BridgedAgent> {
  const agent = createBridgedAgent({
    spec: {
      name: 'agent',
      reach: { by: 'command', command, args },
      env: { PARLEY_HOME: await folder() },
    },
    clientInfo,
    workspaces: [await folder()],
    eventLogs: new SharedEventLogs({ store: filesStore(await folder()), program: 'test 1.0.0' }),
    ...options,
  });
  onTestFinished(() => agent.close());
  return agent;
}

test('the built-in agent is probed, prompted, given tools, killed and resumed', async () => {
  const endpoints = createToolEndpoints();
  onTestFinished(() => endpoints.close());
  const pids: number[] = [];
  let isToBeKilled = false;
  const agent = await bridgeTo([process.execPath, process.env['PARLEY_TEST_BIN'] ?? '', 'agent'], {
    askMode: 'confirm',
    toolEndpoints: endpoints,
    onEvent: (event, sessionId) => {
      if (event.type === 'agent-starting' && sessionId !== undefined) pids.push(event.pid ?? 0);
      if (event.type === 'turn-start' && isToBeKilled) process.kill(pids[0] ?? 0, 'SIGKILL');
    },
  });
  await agent.probe();
  expect(agent.info.options).toContainEqual(expect.objectContaining({ name: 'mode', default: 'confirm' }));
  const server = createAapServer([agent], { limits: { quietMs: 50 } });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const { sessionId } = await send(server, '/sessions', {
    agent: { name: 'agent', tools: [{ name: 'execute' }] },
    tools: [{ name: 'weather', description: 'The weather.', parameters: { type: 'object' } }],
  });
  const turns = `/sessions/${String(sessionId)}/turns`;
  const content = 'call mcp__parley-app__weather {"city":"Oslo"}\nrun echo made\nsay: done';

  let turn = await send(server, turns, { messages: [{ role: 'user', content }] });
  const names: string[] = [];
  const said: unknown[] = [turn['messages']];
  while (turn['stopReason'] === 'tool_use') {
    const calls = heldCalls(turn['messages']);
    names.push(...calls.map(({ name }) => name));
    const messages = calls.map(({ toolCallId, name }) =>
      name === 'weather'
        ? { role: 'tool', toolCallId, content: 'It rains in Oslo.' }
        : { role: 'tool_permission', toolCallId, granted: true },
    );
    turn = await send(server, turns, { messages });
    said.push(turn['messages']);
  }

  expect(turn).toMatchObject({ stopReason: 'end_turn' });
  expect(names.toSorted((one, other) => one.localeCompare(other))).toEqual(['execute', 'weather']);
  expect(JSON.stringify(said)).toMatch(/made.*done/s);

  isToBeKilled = true;
  expect(await send(server, turns, { messages: [{ role: 'user', content: 'sleep 60' }] })).toMatchObject({
    stopReason: 'error',
    error: { code: 'agent_exited' },
  });
  isToBeKilled = false;
  expect(await send(server, turns, { messages: [{ role: 'user', content: 'say: again' }] })).toMatchObject({
    stopReason: 'end_turn',
    messages: [{ role: 'assistant' }],
  });
  expect(pids).toHaveLength(2);
});

test.skipIf(!isHeld)('a sandboxed agent without a network calls the tools of the application', async () => {
  const endpoints = createToolEndpoints();
  onTestFinished(() => endpoints.close());
  const agent = await bridgeTo(delegatingAgent(), {
    toolEndpoints: endpoints,
    sandboxFor: () => ({
      mode: 'read-only',
      write: [],
      stateDirs: [],
      read: 'all',
      hide: [],
      ownState: [],
      network: 'off',
    }),
  });
  const { run, output } = fakeRun({
    input: '[["weather", {"city": "Oslo"}]]',
    clientTools: [{ name: 'weather', description: 'The weather.', parameters: { type: 'object' } }],
    callClientTool: () => '"Rain."',
  });

  await agent.run(run);

  expect(output).toEqual([
    ['client-tool', 'weather', { city: 'Oslo' }],
    ['text', '"Rain."\n'],
  ]);
});

test.each([
  ['exit-at-start', 'agent_start_failed'],
  ['exit-in-new', 'agent_exited'],
  ['exit-in-prompt', 'agent_exited'],
] as const)('%s ends the run with a reason that says how the agent ended', async (fault, code) => {
  const agent = await bridgeTo(faultyAgent(fault));

  const end = await agent.run(fakeRun().run);

  expect(end).toMatchObject({
    stopReason: 'error',
    error: { code, message: expect.stringContaining('exited with status 3') },
  });
  expect(agent.processes).toBe(0);
});

test('an agent that never opens a session ends the run with the name of the pending request', async () => {
  const agent = await bridgeTo(faultyAgent('silent-new'), { openTimeoutMs: 300 });

  const end = await agent.run(fakeRun().run);

  expect(end).toMatchObject({
    stopReason: 'error',
    error: { code: 'agent_timeout', message: expect.stringContaining('session/new: no answer') },
  });
});

test('an input that is only nesting is omitted', async () => {
  const agent = await bridgeTo(faultyAgent('deep-nesting'));
  const { run, output } = fakeRun();

  expect(await agent.run(run)).toEqual({ stopReason: 'end_turn' });

  expect(output).toContainEqual([
    'call',
    { toolCallId: 't', name: 'other', input: { title: 'deep', rawInput: 'left out: too many levels' } },
    expect.anything(),
  ]);
});
