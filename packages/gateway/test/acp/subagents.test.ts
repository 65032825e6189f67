import { subagentAgent } from '@parley/conformance';
import { filesStore, SharedEventLogs, type AgentSpec } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { openHub } from '../hub/hub-stage.ts';
import { PlainClient, toFields, type PlainClientOptions } from './plain-client.ts';

const soon = { timeout: 120_000 };

function specOf(scene: string): AgentSpec {
  const [command, ...args] = subagentAgent(scene);
  return { name: 'scripted', reach: { by: 'command', command, args } };
}

/** The sub-agents that became idle with a stop reason, in order. */
function idle({ updates }: PlainClient, stopReason: string): readonly unknown[] {
  return updates.flatMap(({ update }) => {
    const { sessionId, state } = toFields(update);
    return toFields(state)['stopReason'] === stopReason ? [sessionId] : [];
  });
}

/** Each update as `session: kind of the sub-agent`. */
function linesOf({ updates }: PlainClient, own: string): readonly string[] {
  return updates.map(({ sessionId, update }) => {
    const { sessionUpdate, sessionId: subject } = toFields(update);
    const name = sessionId === own ? 'own' : String(sessionId);
    return `${name}: ${String(sessionUpdate)}${typeof subject === 'string' ? ` ${subject}` : ''}`;
  });
}

test('only a client that declares sub-agents receives them; any client may answer their questions', async () => {
  const stage = await openHub({
    agents: [{ name: 'scripted', place: 'configured', spec: specOf('background') }],
  });
  const ada = await PlainClient.join(stage.hub, { capabilities: { subagents: {} } });
  const sessionId = await ada.begin(stage.workspace);
  const eve = await PlainClient.join(stage.hub, {
    name: 'old',
    onRequest: () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }),
  });
  await eve.load(sessionId, stage.workspace);

  await ada.prompt(sessionId, 'go');

  const own = ['own: agent_message_chunk'];
  await expect
    .poll(() => linesOf(ada, sessionId), soon)
    .toEqual([
      ...own,
      'own: subagent_update kid',
      'kid: agent_message_chunk',
      'kid: agent_message_chunk',
      'own: subagent_update kid',
    ]);
  expect(ada.asked).toMatchObject([{ method: 'session/request_permission', params: { sessionId: 'kid' } }]);
  expect(eve.asked).toMatchObject([{ method: 'session/request_permission', params: { sessionId } }]);
  await expect.poll(() => ada.cancelled, soon).toBe(1);
  expect(linesOf(eve, sessionId)).toEqual(['own: user_message_chunk', ...own]);
});

test('a client of the hub cancels one sub-agent, and its own session with all others', async () => {
  const stage = await openHub({
    agents: [{ name: 'scripted', place: 'configured', spec: specOf('cancel') }],
  });
  const ada = await PlainClient.join(stage.hub, { capabilities: { subagents: {} } });
  const eve = await PlainClient.join(stage.hub, { name: 'eve', capabilities: { subagents: {} } });
  const sessionId = await ada.begin(stage.workspace);
  await ada.prompt(sessionId, 'go');
  await eve.load(sessionId, stage.workspace);
  const cancelled = (): readonly unknown[] => idle(ada, 'cancelled');

  await eve.connection.notify('session/cancel', { sessionId: 'grandchild' });
  await expect.poll(cancelled, soon).toEqual(['grandchild']);
  await ada.connection.notify('session/cancel', { sessionId });
  await expect.poll(cancelled, soon).toEqual(['grandchild', 'kid']);
  // The agent alone changes its sub-agents otherwise.
  await expect(eve.prompt('kid', 'more')).rejects.toMatchObject({ code: -32002 });
});

test('a client cancels sub-agents whose state is not known between turns, and each client receives their states', async () => {
  const stage = await openHub({
    agents: [{ name: 'scripted', place: 'configured', spec: specOf('states') }],
  });
  const ada = await PlainClient.join(stage.hub, { capabilities: { subagents: {} } });
  const eve = await PlainClient.join(stage.hub, { name: 'eve', capabilities: { subagents: {} } });
  const sessionId = await ada.begin(stage.workspace);
  await eve.load(sessionId, stage.workspace);
  await ada.prompt(sessionId, 'go');
  const states = ({ updates }: PlainClient): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      updates.flatMap(({ update }) => {
        const { sessionId: kid, state } = toFields(update);
        return typeof kid === 'string' ? [[kid, state]] : [];
      }),
    );
  const known = { lost: { state: 'unknown' }, busy: { state: '_busy' }, unconfirmed: null };
  for (const client of [ada, eve]) await expect.poll(() => states(client), soon).toEqual(known);

  await eve.connection.notify('session/cancel', { sessionId });

  for (const client of [ada, eve]) {
    await expect
      .poll(() => new Set(idle(client, 'cancelled')), soon)
      .toEqual(new Set(['busy', 'lost', 'unconfirmed']));
  }
});

test('text is steered into the turn; late text is queued, and lost text is not sent again', async () => {
  const stage = await openHub({
    agents: [{ name: 'scripted', place: 'configured', spec: specOf('steering') }],
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const eve = await PlainClient.join(stage.hub, { name: 'eve' });
  await eve.load(sessionId, stage.workspace);
  const steer = (text: string, client = ada): Promise<unknown> =>
    client.ask(hubMethods.steer, { sessionId, prompt: [{ type: 'text', text }] });
  const turn = ada.prompt(sessionId, 'wait');
  await expect.poll(() => ada.said, soon).toEqual(['agent: wait']);

  expect(await steer('now')).toEqual({ outcome: 'steered' });
  expect(await steer('from eve', eve)).toEqual({ outcome: 'steered' });
  // The agent has the text, so it is not sent again.
  expect(await steer('started')).toEqual({ outcome: 'steered' });
  expect(await steer('failed')).toEqual({ outcome: 'steered' });
  expect(await steer('lost')).toEqual({ outcome: 'unknown' });
  expect(await steer('late')).toEqual({ outcome: 'queued' });
  await ada.connection.notify('session/cancel', { sessionId });
  await turn;

  const outcomes = stage.events.flatMap((event) => (event.type === 'steering' ? [event.outcome] : []));
  expect(outcomes).toEqual(['steered', 'steered', 'steered', 'steered', 'unknown', 'queued']);
  for (const client of [ada, eve]) {
    await expect
      .poll(() => client.said.filter((said) => said.startsWith('agent: heard')), soon)
      .toEqual(['agent: heard now', 'agent: heard from eve']);
  }
  await expect(ada.ask(hubMethods.steer, { sessionId, prompt: [] })).rejects.toMatchObject({ code: -32602 });
});

test('two clients receive all that sub-agents do, each may answer one of their questions, and a third receives it as history', async () => {
  const stage = await openHub({
    agents: [{ name: 'scripted', place: 'configured', spec: specOf('whole') }],
  });
  const capabilities = { subagents: {}, elicitation: { form: {} } };
  const answering =
    (wanted: string, answer: object): NonNullable<PlainClientOptions['onRequest']> =>
    (method) =>
      method === wanted ? answer : new Promise(() => {});
  const ada = await PlainClient.join(stage.hub, {
    capabilities,
    onRequest: answering('session/request_permission', { outcome: { outcome: 'selected', optionId: 'yes' } }),
  });
  const eve = await PlainClient.join(stage.hub, {
    name: 'eve',
    capabilities,
    onRequest: answering('elicitation/create', { action: 'accept', content: { test: 'clock' } }),
  });
  const sessionId = await ada.begin(stage.workspace);
  await eve.load(sessionId, stage.workspace);

  expect(await ada.prompt(sessionId, 'go')).toMatchObject({ stopReason: 'end_turn' });

  const running = { state: 'running' };
  const ended = { capabilities: null, state: { state: 'idle', stopReason: 'end_turn' } };
  const rows = [
    ['own', 'agent_message_chunk', { content: { text: 'go' } }],
    [
      'own',
      'subagent_update',
      { sessionId: 'kid', title: 'Draft', capabilities: { cancel: {} }, state: running },
    ],
    ['own', 'subagent_update', { sessionId: 'kid', title: 'Worker' }],
    ['kid', 'subagent_update', { sessionId: 'grandchild', title: 'Helper', state: running }],
    ['own', 'session_message', { messageId: 'm1', recipientSessionId: 'kid', recipientMessageId: 'm2' }],
    ['kid', 'session_message', { messageId: 'm2', senderMessageId: 'm1' }],
    ['own', 'tool_call', { toolCallId: 'c1', content: [{ type: 'session', sessionId: 'kid' }] }],
    ['kid', 'agent_message_chunk', { content: { text: 'The clock is wrong.' } }],
    ['grandchild', 'agent_message_chunk', { content: { text: 'deep words' } }],
    ['kid', 'agent_message_chunk', { content: { text: expect.stringContaining('"optionId":"yes"') } }],
    ['kid', 'agent_message_chunk', { content: { text: expect.stringContaining('"test":"clock"') } }],
    ['kid', 'subagent_update', { sessionId: 'grandchild', ...ended }],
    ['own', 'subagent_update', { sessionId: 'kid', ...ended }],
  ];
  const received = ({ updates }: PlainClient): readonly unknown[] =>
    updates.flatMap(({ sessionId: outer, update }) => {
      const { sessionUpdate, ...fields } = toFields(update);
      if (sessionUpdate === 'user_message_chunk') return [];
      return [[outer === sessionId ? 'own' : outer, sessionUpdate, fields]];
    });
  const asked = ({ asked: requests }: PlainClient): unknown =>
    requests.map(({ method, params }) => `${method} ${String(params['sessionId'])}`).toSorted();
  for (const client of [ada, eve]) {
    await expect.poll(() => received(client), soon).toMatchObject(rows);
    expect(asked(client)).toEqual(['elicitation/create kid', 'session/request_permission kid']);
  }
  const zoe = await PlainClient.join(stage.hub, { name: 'zoe', capabilities });
  await zoe.load(sessionId, stage.workspace);
  // What is behind the load says what they are now.
  await expect
    .poll(() => received(zoe), soon)
    .toMatchObject([
      ...rows,
      ['own', 'subagent_update', { sessionId: 'kid', title: 'Worker', ...ended }],
      ['kid', 'subagent_update', { sessionId: 'grandchild', title: 'Helper', ...ended }],
    ]);
  expect(zoe.asked).toEqual([]);
});

test('after a restart of the hub, what an agent sends in one read with its answer to a resume reaches each client', async () => {
  const agents = [{ name: 'scripted', place: 'configured', spec: specOf('resume') }] as const;
  const capabilities = { subagents: {} };
  const before = await openHub({ agents });
  const ada = await PlainClient.join(before.hub, { capabilities });
  const sessionId = await ada.begin(before.workspace);
  await ada.prompt(sessionId, 'go');
  await before.hub.close();
  const eventLogs = new SharedEventLogs({ store: filesStore(before.eventLogs), program: 'test 2' });
  const { hub } = await openHub({ agents, workspaces: [before.workspace], eventLogs });
  const clients = await Promise.all(
    ['ada', 'eve'].map((name) => PlainClient.join(hub, { name, capabilities })),
  );
  for (const client of clients) await client.load(sessionId, before.workspace);

  await clients[0]?.prompt(sessionId, 'again');

  for (const client of clients) {
    await expect.poll(() => client.said, soon).toContain('agent: again');
    expect(client.said).toEqual(
      expect.arrayContaining(['agent: here after session/resume', 'agent: own after session/resume']),
    );
    expect(linesOf(client, sessionId)).toContain('own: subagent_update kid');
    expect(linesOf(client, sessionId)).toContain('kid: agent_message_chunk');
  }
});

test('announcements and messages of 1,000 sub-agents reach each client', async () => {
  const stage = await openHub({ agents: [{ name: 'scripted', place: 'configured', spec: specOf('crowd') }] });
  const clients = await Promise.all(
    ['ada', 'eve'].map((name) => PlainClient.join(stage.hub, { name, capabilities: { subagents: {} } })),
  );
  const [ada, eve] = clients;
  const sessionId = String(await ada?.begin(stage.workspace));
  await eve?.load(sessionId, stage.workspace);

  await ada?.prompt(sessionId, 'go');

  for (const client of clients) {
    await expect.poll(() => client.said.filter((said) => said === 'agent: x').length, soon).toBe(1000);
  }
});

test('text for an agent that does not advertise steering is queued', async () => {
  const stage = await openHub({
    agents: [{ name: 'scripted', place: 'configured', spec: specOf('nested') }],
  });
  const ada = await PlainClient.join(stage.hub);
  const eve = await PlainClient.join(stage.hub, { name: 'eve' });
  const sessionId = await ada.begin(stage.workspace);
  await eve.load(sessionId, stage.workspace);
  const turn = ada.prompt(sessionId, 'wait');
  await expect.poll(() => ada.said, soon).toContain('agent: wait');

  const params = { sessionId, prompt: [{ type: 'text', text: 'then this' }] };
  expect(await eve.ask(hubMethods.steer, params)).toEqual({ outcome: 'queued' });
  await ada.connection.notify('session/cancel', { sessionId });
  await turn;
  await ada.ask(hubMethods.queue, { sessionId, change: { kind: 'go-on' } });

  for (const client of [ada, eve]) await expect.poll(() => client.said, soon).toContain('agent: then this');
});
