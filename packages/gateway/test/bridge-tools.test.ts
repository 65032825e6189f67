import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ToolSpec } from '@parley/aap';
import type { NewSessionRequest } from '@parley/acp';
import { expect, onTestFinished, test } from 'vitest';
import { createToolEndpoints, type ToolEndpoints } from '../src/index.ts';
import { bridge } from './bridge.ts';
import { fakeRun } from './fake-run.ts';
import { call, callUpdate, yesOrNo } from './scripted-agent.ts';

const weather: ToolSpec = {
  name: 'weather',
  description: 'Says what the weather is like.',
  parameters: { type: 'object' },
};
const askUser: ToolSpec = { name: 'ask_user', description: 'Asks the user.', parameters: { type: 'object' } };

function endpoints(): ToolEndpoints {
  const opened = createToolEndpoints();
  onTestFinished(() => opened.close());
  return opened;
}

/** Connects to the MCP server that an agent receives. */
async function connect({ mcpServers }: NewSessionRequest): Promise<Client> {
  const [server] = mcpServers;
  if (server?.type !== 'http') throw new Error('no server over HTTP');
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  const client = new Client({ name: 'agent', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  return client;
}

test('application tools are called over MCP, and the application receives each call once', async () => {
  let client: Promise<Client> | undefined;
  const outcomes: unknown[] = [];
  const { agent } = await bridge(
    {
      capabilities: { mcpCapabilities: { http: true } },
      onSession: (params) => {
        client = connect(params);
      },
      turn: async ({ update, say, client: host, request: { sessionId } }) => {
        const rawInput = { city: 'Oslo' };
        await update(call('a', { title: 'mcp__parley-app__weather', rawInput }));
        const { outcome } = await host.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 'a' },
          options: yesOrNo,
        });
        outcomes.push(outcome);
        await update(callUpdate('a', { status: 'in_progress' }));
        const result = await (await client)?.callTool({ name: 'weather', arguments: rawInput });
        outcomes.push(result?.content);
        await update(callUpdate('a', { status: 'completed' }));
        await say('It rains.');
      },
    },
    { toolEndpoints: endpoints() },
  );
  expect(agent.info.capabilities?.application).toEqual({ tools: {} });
  const { run, output } = fakeRun({ clientTools: [weather], callClientTool: () => 'Rain.' });

  await agent.run(run);

  expect(output).toEqual([
    ['client-tool', 'weather', { city: 'Oslo' }],
    ['text', 'It rains.'],
  ]);
  expect(outcomes).toEqual([{ outcome: 'selected', optionId: 'yes' }, [{ type: 'text', text: 'Rain.' }]]);
});

test('arguments of application tools contain no secret', async () => {
  let client: Promise<Client> | undefined;
  const { agent } = await bridge(
    {
      capabilities: { mcpCapabilities: { http: true } },
      onSession: (params) => {
        client = connect(params);
      },
      turn: async () => {
        await (await client)?.callTool({ name: 'weather', arguments: { city: 'Oslo', key: ['k-12345'] } });
      },
    },
    {
      toolEndpoints: endpoints(),
      options: [{ type: 'secret', name: 'key', env: 'AGENT_KEY', default: '' }],
    },
  );
  const { run, output } = fakeRun({ clientTools: [weather], options: { key: 'k-12345' } });

  await agent.run(run);

  expect(output).toEqual([['client-tool', 'weather', { city: 'Oslo', key: ['***'] }]]);
});

test('a result that arrived while the agent was away answers the same call once', async () => {
  let client: Promise<Client> | undefined;
  const results: unknown[] = [];
  const input = { city: 'Oslo' };
  const { agent } = await bridge(
    {
      capabilities: { mcpCapabilities: { http: true } },
      onSession: (params) => {
        client = connect(params);
      },
      turn: async () => {
        const mcp = await client;
        for (const _time of ['first', 'second']) {
          const result = await mcp?.callTool({ name: 'weather', arguments: input });
          results.push(result?.content);
        }
      },
    },
    { toolEndpoints: endpoints() },
  );
  const answer = {
    call: { toolCallId: 'a', name: 'weather', input },
    kind: 'result',
    content: 'Rain.',
  } as const;
  const { run, output } = fakeRun({
    input: { role: 'answers', answers: [answer] },
    clientTools: [weather],
    callClientTool: () => 'Sun.',
  });

  await agent.run(run);

  expect(results).toEqual([[{ type: 'text', text: 'Rain.' }], [{ type: 'text', text: 'Sun.' }]]);
  expect(output).toEqual([['client-tool', 'weather', input]]);
});

test('changed tools restart an agent that can resume its session', async () => {
  const servers: number[] = [];
  const { agent, requests } = await bridge(
    {
      capabilities: { mcpCapabilities: { http: true }, sessionCapabilities: { resume: {} } },
      onSession: ({ mcpServers }) => void servers.push(mcpServers.length),
    },
    { toolEndpoints: endpoints() },
  );
  const first = fakeRun({});
  await agent.run(first.run);
  await agent.run(fakeRun({ state: first.state(), clientTools: [weather] }).run);
  await agent.run(fakeRun({ state: first.state(), clientTools: [weather] }).run);

  expect(requests).toEqual([
    'session/new',
    'session/prompt',
    'session/resume',
    'session/prompt',
    'session/prompt',
  ]);
  expect(servers).toEqual([0, 1]);
});

test('questions go to an application tool, and are not declared without one', async () => {
  const answers: unknown[] = [];
  const { agent } = await bridge({
    turn: async ({ client, request: { sessionId } }) => {
      if (client.capabilities.elicitation === undefined) {
        answers.push('not declared');
        return;
      }
      answers.push(
        await client.request('elicitation/create', {
          sessionId,
          mode: 'form',
          message: 'Which colour?',
          requestedSchema: { properties: { colour: { type: 'string' } } },
        }),
      );
    },
  });
  const { run, output } = fakeRun({ clientTools: [askUser], callClientTool: () => 'blue' });

  await agent.run(fakeRun({ sessionId: 'other' }).run);
  await agent.run(run);

  expect(answers).toEqual(['not declared', { action: 'accept', content: { colour: 'blue' } }]);
  expect(output).toMatchObject([['client-tool', 'ask_user', { question: 'Which colour?' }]]);
});
