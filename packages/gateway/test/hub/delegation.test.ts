import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@parley/acp';
import { unstableAgent } from '@parley/conformance';
import { createLimitedPool } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { subagentOf } from '@parley/host/state';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Hub } from '../../src/hub/create-hub.ts';
import { scriptedAgent, type ScriptedTurn } from '../scripted-agent.ts';
import { createGate, openHub, type HubStage, type StagedClient } from './hub-stage.ts';

/** A session with a team, and the tools that its agent is given. */
interface TeamStage extends HubStage {
  readonly client: StagedClient;
  /** The MCP servers of the sessions of the agent that delegates, in order. */
  readonly servers: readonly (readonly McpServer[])[];
  /** What the agent that is delegated to was asked, in order. */
  readonly requests: readonly string[];
  call(name: string, input?: object): Promise<Record<string, unknown>>;
}

/** A hub of an agent that delegates and one that does what its prompt says. */
async function openTeam({
  leadMode,
  memberModes,
  ...options
}: Parameters<typeof openHub>[0] & {
  readonly leadMode?: string;
  readonly memberModes?: readonly string[];
} = {}): Promise<TeamStage> {
  const servers: (readonly McpServer[])[] = [];
  const member = scriptedAgent({
    turn: work,
    ...(memberModes !== undefined && { offers: modes(memberModes) }),
  });
  const lead = scriptedAgent({
    ...(leadMode !== undefined && { offers: modes([leadMode]) }),
    capabilities: { mcpCapabilities: { http: true }, sessionCapabilities: { resume: {} } },
    onSession: ({ mcpServers }) => servers.push(mcpServers),
    turn: work,
  });
  const stage = await openHub({
    ...options,
    agents: [
      { name: 'lead', place: 'configured', spec: { ...lead.spec, name: 'lead' } },
      { name: 'member', title: 'A member', place: 'configured', spec: { ...member.spec, name: 'member' } },
      { name: 'absent', place: 'available' },
    ],
    defaultAgent: 'lead',
  });
  return {
    ...stage,
    servers,
    requests: member.requests,
    client: await stage.join(),
    call: async (name, input = {}) => {
      const server = servers.at(-1)?.find((each) => each.name === 'parley-team');
      if (server?.type !== 'http') throw new Error('the agent was given no tools');
      const headers = Object.fromEntries(server.headers.map((header) => [header.name, header.value]));
      const mcp = new Client({ name: 'test', version: '1' });
      await mcp.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
      const { content } = await mcp.callTool({ name, arguments: { ...input } });
      await mcp.close();
      const [block] = content;
      return JSON.parse(block?.type === 'text' ? block.text : '') as Record<string, unknown>;
    },
  };
}

/** What a session offers that begins in the first of these modes. */
function modes([first = '', ...others]: readonly string[]) {
  const availableModes = [first, ...others].map((id) => ({ id, name: id }));
  return { modes: { currentModeId: first, availableModes } };
}

async function work({ text, client, request, signal, say }: ScriptedTurn): Promise<void> {
  if (text === 'ask') {
    const { outcome } = await client.request('session/request_permission', {
      sessionId: request.sessionId,
      toolCall: { toolCallId: 'c1', title: 'Run', kind: 'execute' },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    });
    await say(JSON.stringify(outcome));
  }
  if (text === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await say(`did ${text}`);
}

test('a delegate is a session of the hub below its parent, and asks the clients of its parent', async () => {
  const { client, call, servers, events } = await openTeam();
  const key = await client.start({ 'parley/team': ['member'] });

  expect(await call('list_agents')).toMatchObject({ agents: [{ name: 'member', title: 'A member' }] });
  const { id } = await call('delegate', { agent: 'member', prompt: 'ask' });
  const question = await client.question('permission');
  expect(question).toMatchObject({ key, subagent: { sessionId: id, title: 'A member' } });
  expect(await call('wait', { id, seconds: 0 })).toMatchObject({ state: 'requires_action' });
  await client.ask(hubMethods.answer, {
    sessionId: key,
    requestId: question.requestId,
    answer: { kind: 'option', optionId: 'yes' },
  });
  expect(await call('wait', { id, seconds: 600 })).toMatchObject({
    state: 'idle',
    stopReason: 'end_turn',
    message: expect.stringMatching(/"yes".*did ask/u),
  });

  await client.until(() => client.sessions.get(String(id))?.state === 'ready');
  expect(client.sessions.get(String(id))).toMatchObject({ parent: key, agent: 'member' });
  await client.until(() => subagentOf(client.view(key), String(id))?.work.state === 'idle');
  expect(subagentOf(client.view(key), String(id))).toMatchObject({ title: 'A member', description: 'ask' });
  // A delegate may not delegate itself.
  expect(servers).toHaveLength(1);
  // The question is one event of the delegate, and one that its parent shows.
  expect(events.filter(({ type }) => type === 'permission')).toHaveLength(1);
});

test("cancelling the parent's turn ends its delegates; a single one can be cancelled as a sub-agent", async () => {
  const { client, call } = await openTeam();
  const key = await client.start({ 'parley/team': ['member'] });
  const turn = client.prompt(key, 'wait');
  const first = String((await call('delegate', { agent: 'member', prompt: 'wait' }))['id']);
  const second = String((await call('delegate', { agent: 'member', prompt: 'wait' }))['id']);
  await client.until(() => client.sessions.get(second)?.state === 'running');

  await client.ask(hubMethods.cancelSubagent, { sessionId: key, subagent: first });
  expect(await call('wait', { id: first, seconds: 600 })).toMatchObject({ stopReason: 'cancelled' });
  await client.notify('session/cancel', { sessionId: key });

  expect(await turn).toMatchObject({ stopReason: 'cancelled' });
  await client.until(() => [first, second].every((id) => client.sessions.get(id)?.state === 'kept'));
  expect(await call('wait', { id: second, seconds: 0 })).toMatchObject({ state: 'ended' });
});

test('without a free slot, a delegate is refused within 5 s, also at a later prompt', async () => {
  const pool = createLimitedPool({ places: 1, waiting: 5, idleMs: 1_000_000 });
  const { client, call } = await openTeam({ pool });
  const key = await client.start({ 'parley/team': ['member'] });
  const turn = client.prompt(key, 'wait');
  await client.until(() => client.sessions.get(key)?.state === 'running');
  onTestFinished(() => {
    vi.useRealTimers();
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  /** What `wait` returns 5 s after the delegate was given work. */
  const answerOf = async (id: unknown): Promise<unknown> => {
    await expect.poll(() => pool.waiting).toBe(1);
    vi.advanceTimersByTime(5000);
    return call('wait', { id, seconds: 600 });
  };
  const refused = {
    state: 'failed',
    error: expect.stringMatching(/agent processes in use: 1 of 1, and none was free in 4 s/u),
  };

  const { id } = await call('delegate', { agent: 'member', prompt: 'go' });
  expect(await answerOf(id)).toMatchObject(refused);
  await call('send', { id, prompt: 'go on' });
  expect(await answerOf(id)).toMatchObject(refused);

  vi.useRealTimers();
  await client.notify('session/cancel', { sessionId: key });
  await turn;
});

test("cancelling the parent's turn aborts the creation of a delegate's worktree", async () => {
  const folder = createGate();
  const { client, call } = await openTeam({
    worktrees: {
      stateFolder: '/nowhere',
      origin: (of) => Promise.resolve(of),
      open: async (_cwd, _wish, { signal } = {}) => {
        folder.open();
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        throw new Error('it was aborted');
      },
    },
  });
  const key = await client.start({ 'parley/team': ['member'] });
  const turn = client.prompt(key, 'wait');
  const { id } = await call('delegate', { agent: 'member', prompt: 'go', worktree: true });
  await folder.passed;

  await client.notify('session/cancel', { sessionId: key });

  expect(await turn).toMatchObject({ stopReason: 'cancelled' });
  expect(await call('wait', { id, seconds: 600 })).toMatchObject({ state: 'ended', stopReason: 'cancelled' });
});

test('below a session in the mode "plan", a delegate only reads, and an agent that cannot is not started', async () => {
  const team = await openTeam({ leadMode: 'plan', memberModes: ['auto', 'read-only'] });
  await team.client.start({ 'parley/team': ['member'] });
  const { id } = await team.call('delegate', { agent: 'member', prompt: 'go' });
  expect(await team.call('wait', { id, seconds: 600 })).toMatchObject({ message: 'did go' });
  expect(team.requests).toEqual(['session/new', 'session/set_mode read-only', 'session/prompt']);

  const other = await openTeam({ leadMode: 'plan', memberModes: ['auto'] });
  await other.client.start({ 'parley/team': ['member'] });
  const refused = await other.call('delegate', { agent: 'member', prompt: 'go' });
  expect(await other.call('wait', { id: refused['id'], seconds: 600 })).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/no mode that only reads/u),
  });
  expect(other.requests).not.toContain('session/prompt');
});

test('an agent that supports MCP over ACP delegates over its own connection', async () => {
  const [command, ...args] = unstableAgent('has');
  const member = scriptedAgent({ turn: work });
  const stage = await openHub({
    agents: [
      { name: 'lead', place: 'configured', spec: { name: 'lead', reach: { by: 'command', command, args } } },
      { name: 'member', title: 'A member', place: 'configured', spec: { ...member.spec, name: 'member' } },
    ],
    defaultAgent: 'lead',
  });
  const client = await stage.join();
  const key = await client.start({ 'parley/team': ['member'] });
  const params = { name: 'delegate', arguments: { agent: 'member', prompt: 'go' } };

  await client.prompt(key, `mcp ${JSON.stringify([{ method: 'tools/call', params }])}`);

  const result = /"result":\{"result":\{"content":\[\{"type":"text","text":.*running/u;
  await expect.poll(() => client.said(key)).toMatch(result);
  await client.until(() => [...client.sessions.values()].some(({ parent }) => parent === key));
});

test('the team comes from the configuration unless a client chooses, and stays with the session', async () => {
  const teamIn = () => ({ agents: ['member', 'absent'], maxTotal: 1 });
  const first = await openTeam({ teamIn });
  const key = await first.client.start();

  expect(await first.call('list_agents')).toMatchObject({ agents: [{ name: 'member' }], maxTotal: 1 });
  await first.client.start({ 'parley/team': [] });
  expect(first.servers.at(-1)).toEqual([]);
  for (const name of ['stranger', 'absent']) {
    await expect(first.client.start({ 'parley/team': [name] })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(`"${name}" is not one`) as string,
    });
  }
  await first.client.prompt(key, 'hello');
  await first.client.start();
  const { id } = await first.call('delegate', { agent: 'member', prompt: 'go' });
  await first.call('wait', { id, seconds: 600 });
  const delegating = first.client.sessions.get(String(id))?.parent;
  if (delegating === undefined) throw new Error('the delegate has no parent');
  await first.hub.close();

  const again = await openTeam({
    eventLogs: Hub.sessionsOf(first.hub).options.eventLogs,
    workspaces: [first.workspace],
    teamIn,
  });
  await again.client.resume(key);
  await again.client.prompt(key, 'go on');
  expect(again.servers).toMatchObject([[{ name: 'parley-team' }]]);
  expect(await again.call('list_agents')).toMatchObject({ begun: 0 });
  // Delegates that it had begun before count.
  await again.client.resume(delegating);
  await again.client.prompt(delegating, 'go on');
  expect(await again.call('list_agents')).toMatchObject({ begun: 1, maxTotal: 1, delegates: [] });
});
