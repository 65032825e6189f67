import type { SessionUpdate } from '@parley/acp';
import { connect, memoryPair } from '@parley/wire';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../src/agent-error.ts';
import { createCodingAgent } from '../src/coding-agent.ts';
import type { Model, ModelMessage } from '../src/model/model.ts';
import type { Models } from '../src/model/models.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';
import { openHome } from './home.ts';
import { textWith } from './matchers.ts';
import { openStage, said } from './stage.ts';

/** A model that says how much it heard. */
function listeningModel(id = 'test/listener'): Model & { readonly heard: (readonly ModelMessage[])[] } {
  const heard: (readonly ModelMessage[])[] = [];
  return {
    id,
    contextSize: 1000,
    heard,
    async *respond({ messages }) {
      heard.push([...messages]);
      yield { type: 'text', text: `answer ${String(heard.length)}` };
      yield { type: 'usage', usedTokens: 250 };
    },
  };
}

function kinds(updates: readonly SessionUpdate[]): string[] {
  return updates.map(({ sessionUpdate }) => sessionUpdate);
}

describe('the list of commands', () => {
  test.each(['session/new', 'session/load', 'session/resume'])(
    'comes behind the answer to %s',
    async (method) => {
      await using home = await openHome();
      const kept = await home.talk(['say: one']);
      const environment = createNodeEnvironment({ stateDirectory: home.state });
      const [left, right] = memoryPair();
      await using _agent = createCodingAgent(environment).connect(left);
      const order: unknown[] = [];
      let listed = (): void => undefined;
      const isListed = new Promise<void>((resolve) => {
        listed = resolve;
      });
      await using client = connect(right, {
        onNotification: (_method, params) => {
          if (JSON.stringify(params).includes('available_commands_update')) {
            order.push('commands');
            listed();
          }
        },
      });
      await client.request('initialize', { protocolVersion: 1 });
      const params = { sessionId: kept, cwd: home.directory, mcpServers: [] };
      await client.request(method, params, { read: () => order.push('answer') });
      await isListed;
      expect(order).toEqual(['answer', 'commands']);
    },
  );

  test('has a hint for the arguments of each', async () => {
    await using stage = await openStage();
    await stage.prompt('say: hi');
    expect(stage.commands.get(stage.sessionId)).toContainEqual({
      name: 'mode',
      description: 'Show the modes, or change to one',
      input: { hint: '[ID]' },
    });
  });

  test('is not sent if the session could not be opened', async () => {
    await using stage = await openStage();
    await expect(stage.openSession('/missing')).rejects.toMatchObject({ code: -32602 });
    await stage.prompt('say: hi');
    expect([...stage.commands.keys()]).toEqual([stage.sessionId]);
  });
});

describe('a command', () => {
  test('is answered with one message and the usage, without the model', async () => {
    const model = listeningModel();
    await using stage = await openStage({ model });
    expect(await stage.prompt('/help')).toBe('end_turn');
    expect(kinds(stage.updates)).toEqual(['agent_message_chunk', 'usage_update']);
    expect(stage.updates[0]).toMatchObject({ messageId: textWith('message_') });
    await stage.prompt('hello');
    expect(model.heard).toEqual([[{ role: 'user', text: 'hello' }]]);
  });

  test.each(['/etc/hosts is wrong', '/unknown', 'what does /help do?'])(
    '%j is for the model',
    async (text) => {
      const model = listeningModel();
      await using stage = await openStage({ model });
      await stage.prompt(text);
      expect(model.heard).toEqual([[{ role: 'user', text }]]);
    },
  );

  test('does not name a session, and is replayed when the session is loaded', async () => {
    await using home = await openHome();
    await using first = await home.stage();
    await first.prompt('/mode plan');
    expect(kinds(first.updates)).not.toContain('session_info_update');
    await first.prompt('say: hello');
    const { sessionId } = first;
    await first.agent.request('session/close', { sessionId });
    await using stage = await home.stage({ first: false });
    const { sessions } = await stage.agent.request('session/list', {});
    expect(sessions).toMatchObject([{ sessionId, title: 'say: hello' }]);
    const { modes } = await stage.agent.request('session/load', stage.at(sessionId));
    expect(modes?.currentModeId).toBe('plan');
    expect(said(stage.updates)).toEqual(['The mode is `plan` now.', 'hello']);
    expect(stage.updates[0]).toMatchObject({
      sessionUpdate: 'user_message_chunk',
      content: { text: '/mode plan' },
    });
  });

  test('alone does not store the session', async () => {
    await using home = await openHome();
    await home.talk(['/help', '/usage']);
    await using stage = await home.stage({ first: false });
    expect(await stage.agent.request('session/list', {})).toEqual({ sessions: [] });
  });

  test('without arguments rejects text after its name', async () => {
    await using stage = await openStage();
    await stage.prompt('/usage please');
    expect(said(stage.updates)).toEqual([textWith('does not accept arguments')]);
  });
});

test('/help lists the commands, the modes and the tools', async () => {
  await using stage = await openStage();
  await stage.prompt('/help');
  const [text = ''] = said(stage.updates);
  for (const { name } of stage.commands.get(stage.sessionId) ?? []) expect(text).toContain(`\`/${name}`);
  expect(text).toContain('`confirm` (now)');
  expect(text).toContain('`search`');
});

describe('/mode', () => {
  test('shows the modes', async () => {
    await using stage = await openStage();
    await stage.prompt('/mode');
    expect(said(stage.updates)).toEqual([textWith('The mode is `confirm`')]);
  });

  test('changes it, sends both updates, and later questions follow it', async () => {
    await using stage = await openStage();
    expect(await stage.prompt('/mode full-access')).toBe('end_turn');
    expect(stage.updates).toContainEqual({
      sessionUpdate: 'current_mode_update',
      currentModeId: 'full-access',
    });
    expect(stage.updates).toContainEqual({
      sessionUpdate: 'config_option_update',
      configOptions: expect.arrayContaining([
        expect.objectContaining({ id: 'mode', currentValue: 'full-access' }),
      ]),
    });
    await stage.prompt('write a.txt: x');
    expect(stage.permissions).toEqual([]);
  });

  test('an unknown one changes nothing, and the answer lists the available ones', async () => {
    await using stage = await openStage();
    expect(await stage.prompt('/mode yolo')).toBe('end_turn');
    expect(said(stage.updates)).toEqual([textWith('Unknown mode `yolo`')]);
    expect(kinds(stage.updates)).not.toContain('current_mode_update');
  });
});

describe('/model', () => {
  const other = listeningModel('test/other');
  const models: Models = {
    open: () =>
      Promise.resolve({
        initial: listeningModel(),
        choices: ['test/listener', 'test/other'],
        create: (provider, name) =>
          `${provider}/${name}` === other.id
            ? Promise.resolve(other)
            : Promise.reject(new AgentError('unknown-provider', `cannot resolve provider '${provider}'`)),
      }),
  };

  test('shows the models', async () => {
    await using stage = await openStage({ models });
    await stage.prompt('/model');
    expect(said(stage.updates)).toEqual([textWith('- `test/other`')]);
  });

  test('changes it, notifies the client, and the other one answers', async () => {
    await using stage = await openStage({ models });
    await stage.prompt('/model test/other');
    expect(stage.updates).toContainEqual({
      sessionUpdate: 'config_option_update',
      configOptions: expect.arrayContaining([
        expect.objectContaining({ id: 'model', currentValue: 'test/other' }),
      ]),
    });
    await stage.prompt('hello');
    expect(other.heard).toHaveLength(1);
  });

  test('answers a model that cannot be used with a message, not an error', async () => {
    await using stage = await openStage({ models });
    expect(await stage.prompt('/model none/x')).toBe('end_turn');
    expect(said(stage.updates)).toEqual([textWith("cannot resolve provider 'none'")]);
  });

  test('a cancel during the lookup ends the turn without an answer', async () => {
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let answer = (_model: Model): void => undefined;
    const slow: Models = {
      open: () =>
        Promise.resolve({
          initial: listeningModel(),
          choices: [],
          create: () => {
            asked();
            return new Promise((resolve) => {
              answer = resolve;
            });
          },
        }),
    };
    await using stage = await openStage({ models: slow });
    const stopReason = stage.prompt('/model test/other');
    await isAsked;
    await stage.cancel();
    await stage.openSession();
    answer(other);
    expect(await stopReason).toBe('cancelled');
    expect(said(stage.updates)).toEqual([]);
  });
});

test('/usage says how full the window is and how many turns there were', async () => {
  await using home = await openHome();
  await using first = await home.stage({ model: listeningModel() });
  await first.prompt('one');
  await first.prompt('/help');
  await first.prompt('two');
  await first.agent.request('session/close', { sessionId: first.sessionId });
  await using stage = await home.stage({ model: listeningModel(), first: false });
  await stage.agent.request('session/resume', stage.at(first.sessionId));
  await stage.prompt('/usage', first.sessionId);
  expect(said(stage.updates)).toEqual([
    '- Window: about 250 of 1,000 tokens (25 %)\n- Turns: 2\n- Model: `test/listener`',
  ]);
  expect(stage.updates.at(-1)).toEqual({ sessionUpdate: 'usage_update', used: 250, size: 1000 });
});

describe('/clear', () => {
  test('removes the conversation for the model, and the session continues', async () => {
    const model = listeningModel();
    await using stage = await openStage({ model });
    await stage.prompt('one');
    await stage.prompt('/clear');
    expect(stage.updates.at(-1)).toEqual({ sessionUpdate: 'usage_update', used: 0, size: 1000 });
    await stage.prompt('two');
    expect(model.heard.at(-1)).toEqual([{ role: 'user', text: 'two' }]);
  });

  test('still applies when the session is loaded; the user sees everything, and that it was cleared', async () => {
    await using home = await openHome();
    await using first = await home.stage({ model: listeningModel() });
    for (const text of ['one', '/clear', 'two']) await first.prompt(text);
    const { sessionId } = first;
    await first.agent.request('session/close', { sessionId });
    const model = listeningModel();
    await using stage = await home.stage({ model, first: false });
    await stage.agent.request('session/load', stage.at(sessionId));
    expect(said(stage.updates)).toEqual(['answer 1', textWith('cleared'), 'answer 2']);
    await stage.prompt('three', sessionId);
    expect(model.heard).toEqual([
      [
        { role: 'user', text: 'two' },
        { role: 'assistant', text: 'answer 2', toolCalls: [] },
        { role: 'user', text: 'three' },
      ],
    ]);
  });
});
