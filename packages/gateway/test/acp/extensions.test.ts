import { faultyAgent } from '@parley/conformance';
import { connect, memoryPair, RpcError, type Connection } from '@parley/wire';
import { expect, test } from 'vitest';
import { openHub, type HubStage } from '../hub/hub-stage.ts';
import { folder } from '../scripted-agent.ts';
import { PlainClient, toFields } from './plain-client.ts';

const soon = { timeout: 120_000 };

/** An agent that sends more than ACP defines, under any id of its session. */
interface RawAgent {
  readonly stage: HubStage;
  /** Its end of the connection, once it was started. */
  readonly connection: () => Connection;
  /** The requests and notifications it received beyond ACP, and the `_meta` of those of ACP. */
  readonly heard: { readonly method: string; readonly params: unknown }[];
}

const ownId = 'the-agents-own-id';

async function openRaw(secrets: readonly string[] = []): Promise<RawAgent> {
  const heard: { method: string; params: unknown }[] = [];
  let connection: Connection | undefined;
  const stage = await openHub({
    agents: [
      {
        name: 'raw',
        place: 'configured',
        spec: {
          name: 'raw',
          secrets,
          reach: {
            by: 'transport',
            connect: () => {
              const [near, far] = memoryPair();
              connection = connect(far, {
                onRequest: async (method, params) => {
                  heard.push({ method, params });
                  switch (method) {
                    case 'initialize':
                      return { protocolVersion: 1, agentCapabilities: { _meta: { vendor: { fork: true } } } };
                    case 'session/new':
                      return { sessionId: ownId, _meta: { opened: 'new' } };
                    case 'session/prompt':
                      await connection?.notify('session/update', {
                        sessionId: ownId,
                        update: {
                          sessionUpdate: 'agent_message_chunk',
                          content: { type: 'text', text: 'hello' },
                          _meta: { inner: 1 },
                        },
                        _meta: { outer: 2 },
                      });
                      await connection?.notify('_vendor/progress', { sessionId: ownId, done: 1 });
                      return { stopReason: 'end_turn', _meta: { cost: 3, key: 's3cret-key' } };
                    case '_vendor/refused':
                      throw new RpcError(-32002, 'no such thing', { sessionId: ownId, why: ownId });
                    default:
                      return { sessionId: ownId, session_ids: [ownId], method };
                  }
                },
                onNotification: (method, params) => {
                  heard.push({ method, params });
                },
              });
              return near;
            },
          },
        },
      },
    ],
    defaultAgent: 'raw',
  });
  return {
    stage,
    heard,
    connection: () => {
      if (connection === undefined) throw new Error('the agent was not started');
      return connection;
    },
  };
}

test('_meta passes through, in requests, responses and updates', async () => {
  const { stage, heard } = await openRaw(['s3cret-key']);
  const ada = await PlainClient.join(stage.hub);
  const opened = toFields(
    await ada.ask('session/new', { cwd: stage.workspace, mcpServers: [], _meta: { mine: true } }),
  );
  const sessionId = String(opened['sessionId']);

  const response = await ada.prompt(sessionId, 'go', { _meta: { traceparent: 'x', own: [1] } });

  expect(opened).toMatchObject({ _meta: { opened: 'new' } });
  expect(sessionId).not.toBe(ownId);
  expect(response).toEqual({ stopReason: 'end_turn', _meta: { cost: 3, key: '***' } });
  expect(ada.updates).toMatchObject([{ sessionId, update: { _meta: { inner: 1 } }, _meta: { outer: 2 } }]);
  expect(heard).toMatchObject([
    { method: 'initialize' },
    { method: 'session/new', params: { _meta: { mine: true } } },
    { method: 'session/prompt', params: { sessionId: ownId, _meta: { own: [1], traceparent: 'x' } } },
  ]);
  const eve = await PlainClient.join(stage.hub);
  await eve.load(sessionId, stage.workspace);
  expect(eve.updates.at(-1)).toMatchObject({ update: { _meta: { inner: 1 } }, _meta: { outer: 2 } });
  expect(eve.initialized).toMatchObject({ agentCapabilities: { _meta: { vendor: { fork: true } } } });
});

test("a client's extension requests and notifications reach the agent of their session, under the agent's id of it", async () => {
  const { stage, heard } = await openRaw();
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  heard.length = 0;

  const answer = await ada.ask('_vendor/of_session', {
    sessionId,
    deep: [{ parent_session_id: sessionId, text: sessionId }],
  });
  await ada.connection.notify('_vendor/note', { sessionId });

  expect(answer).toEqual({ sessionId, session_ids: [sessionId], method: '_vendor/of_session' });
  await expect
    .poll(() => heard, soon)
    .toEqual([
      {
        method: '_vendor/of_session',
        // What is not an id stays as it is.
        params: { sessionId: ownId, deep: [{ parent_session_id: ownId, text: sessionId }] },
      },
      { method: '_vendor/note', params: { sessionId: ownId } },
    ]);
  expect(await ada.ask('_vendor/of_all', {})).toMatchObject({ method: '_vendor/of_all' });
  const alone = await PlainClient.join(stage.hub);
  await expect(alone.ask('_vendor/of_all', {})).rejects.toMatchObject({ code: -32601 });
  await expect(alone.ask('_parley/nothing', { sessionId })).rejects.toMatchObject({ code: -32601 });
});

test("the error of an extension request names the session by the client's id of it", async () => {
  const { stage } = await openRaw();
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);

  await expect(ada.ask('_vendor/refused', { sessionId })).rejects.toMatchObject({
    code: -32002,
    message: 'no such thing',
    data: { sessionId, why: ownId },
  });
});

test('methods of the protocol that the hub does not declare are unknown, and reach no agent', async () => {
  const { stage, heard } = await openRaw();
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  heard.length = 0;

  for (const method of ['logout', 'session/archive', 'session/unarchive', '$/unknown']) {
    await expect(ada.ask(method, { sessionId })).rejects.toMatchObject({ code: -32601 });
  }

  expect(heard).toEqual([]);
});

test("an agent's extension notifications reach all clients, after earlier updates", async () => {
  const { stage } = await openRaw();
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const eve = await PlainClient.join(stage.hub);
  await eve.load(sessionId, stage.workspace);

  await ada.prompt(sessionId, 'go');

  for (const client of [ada, eve]) {
    await expect
      .poll(() => client.notices, soon)
      .toEqual([{ method: '_vendor/progress', params: { sessionId, done: 1 } }]);
    expect(client.said.at(-1)).toBe('agent: hello');
  }
});

test("an agent's extension request is answered by the first client that knows it", async () => {
  const { stage, connection } = await openRaw();
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const unknowing = await PlainClient.join(stage.hub, {
    onRequest: () => Promise.reject(new Error('not known')),
  });
  const eve = await PlainClient.join(stage.hub, {
    onRequest: (_method, { sessionId: named }) => ({ sessionId: named, text: 'blue' }),
  });
  await unknowing.load(sessionId, stage.workspace);
  await eve.load(sessionId, stage.workspace);

  expect(await connection().request('_vendor/ask', { sessionId: ownId })).toEqual({
    sessionId: ownId,
    text: 'blue',
  });
  expect(eve.asked).toEqual([{ method: '_vendor/ask', params: { sessionId } }]);
  await expect.poll(() => ada.cancelled, soon).toBe(1);
  for (const client of [ada, eve, unknowing]) await client.connection.close();
  await expect.poll(() => stage.hub.clients, soon).toBe(0);
  await expect(connection().request('_vendor/ask', { sessionId: ownId })).rejects.toMatchObject({
    code: -32601,
  });
});

test('clients see an update that is nested too deeply to be written as JSON, without what is too deep', async () => {
  const [command, ...args] = faultyAgent('deep-nesting');
  const stage = await openHub({
    agents: [
      {
        name: 'deep',
        place: 'configured',
        spec: {
          name: 'deep',
          reach: { by: 'command', command, args },
          env: { PARLEY_HOME: await folder() },
        },
      },
    ],
    defaultAgent: 'deep',
  });
  const ada = await PlainClient.join(stage.hub);
  const sessionId = await ada.begin(stage.workspace);
  const eve = await PlainClient.join(stage.hub);
  await eve.load(sessionId, stage.workspace);

  expect(await ada.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });

  for (const client of [ada, eve]) {
    await expect
      .poll(() => client.updates, soon)
      .toContainEqual({
        sessionId,
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: 't',
          title: 'deep',
          rawInput: 'left out: too many levels',
        },
      });
  }
  expect(stage.faults).toEqual([]);
});
