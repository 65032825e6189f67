import { connect, memoryPair, type Connection } from '@parley/wire';
import { expect, test } from 'vitest';
import { openHub, type HubStage } from '../hub/hub-stage.ts';
import { PlainClient, toFields } from './plain-client.ts';

const soon = { timeout: 120_000 };

const toggle = { id: 'thinking', name: 'Thinking', type: 'boolean', currentValue: true };
const model = {
  id: 'model',
  name: 'Model',
  type: 'select',
  currentValue: 'small',
  options: [{ value: 'small', name: 'Small' }],
};
const configOptions = [toggle, model];

const notice = { sessionUpdate: 'notice', severity: 'info', title: 'Busy', description: 'It takes a while' };

/** Updates that a client has to declare. */
const declared = [
  notice,
  { sessionUpdate: 'compaction_update', compactionId: 'c1', status: 'in_progress' },
  { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c1', content: { type: 'text', text: 'short' } },
  { sessionUpdate: 'config_option_update', configOptions },
];

/** A hub with an agent that sends all updates which a client has to declare. */
async function openDeclaring(): Promise<{ readonly stage: HubStage; readonly agent: () => Connection }> {
  let agent: Connection | undefined;
  const reach = {
    by: 'transport',
    connect: () => {
      const [near, far] = memoryPair();
      const connection = connect(far, {
        onRequest: async (method) => {
          switch (method) {
            case 'initialize':
              return {
                protocolVersion: 1,
                agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, fork: {} } },
              };
            case 'session/new':
            case 'session/fork':
              return { sessionId: `own-${method}`, configOptions };
            case 'session/load':
            case 'session/resume':
            case 'session/set_config_option':
              return { configOptions };
            case 'session/prompt':
              for (const update of declared) {
                await connection.notify('session/update', { sessionId: 'own-session/new', update });
              }
              return { stopReason: 'end_turn' };
            default:
              return {};
          }
        },
      });
      agent = connection;
      return near;
    },
  } as const;
  const stage = await openHub({
    agents: [{ name: 'declaring', place: 'configured', spec: { name: 'declaring', reach } }],
    defaultAgent: 'declaring',
  });
  return {
    stage,
    agent: () => {
      if (agent === undefined) throw new Error('the agent was not started');
      return agent;
    },
  };
}

const all = { session: { notices: {}, compaction: {}, configOptions: { boolean: {} } } };

function updatesOf(client: PlainClient): readonly unknown[] {
  return client.updates.map(({ update }) => update);
}

test('a client gets only the kinds of updates and options that it declared; a notice becomes a thought', async () => {
  const { stage, agent } = await openDeclaring();
  const plain = await PlainClient.join(stage.hub);
  const sessionId = await plain.begin(stage.workspace);
  const rich = await PlainClient.join(stage.hub, { capabilities: all });
  expect(await rich.load(sessionId, stage.workspace)).toMatchObject({ configOptions });

  await plain.prompt(sessionId, 'go');
  // Between turns there are no thoughts.
  await agent().notify('session/update', { sessionId: 'own-session/new', update: notice });

  await expect
    .poll(() => updatesOf(rich), soon)
    .toEqual([
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'go' } },
      ...declared,
      notice,
    ]);
  const shown = [
    { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Busy. It takes a while' } },
    { sessionUpdate: 'config_option_update', configOptions: [model] },
  ];
  expect(updatesOf(plain)).toEqual(shown);
  const late = await PlainClient.join(stage.hub);
  await late.load(sessionId, stage.workspace);
  expect(updatesOf(late).slice(1)).toEqual(shown);
});

test('responses leave out the on/off options of clients that did not declare them', async () => {
  const { stage } = await openDeclaring();
  const plain = await PlainClient.join(stage.hub);
  const rich = await PlainClient.join(stage.hub, { capabilities: all });
  const opening = { cwd: stage.workspace, mcpServers: [] };

  for (const [client, options] of [
    [plain, [model]],
    [rich, configOptions],
  ] as const) {
    const opened = toFields(await client.ask('session/new', opening));
    const { sessionId } = opened;
    const named = { sessionId, ...opening };
    expect(opened).toMatchObject({ configOptions: options });
    expect(await client.ask('session/load', named)).toEqual({ configOptions: options });
    expect(await client.ask('session/resume', named)).toEqual({ configOptions: options });
    expect(await client.ask('session/fork', named)).toMatchObject({ configOptions: options });
    expect(
      await client.ask('session/set_config_option', { sessionId, configId: 'model', value: 'small' }),
    ).toEqual({ configOptions: options });
  }
});
