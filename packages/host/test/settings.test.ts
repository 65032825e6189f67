import { expect, test } from 'vitest';
import { script } from './harness.ts';

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};
const model = {
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue: 'small',
  options: [
    { value: 'small', name: 'Small' },
    { value: 'large', name: 'Large' },
  ],
};

/** The requests an agent was sent, without their ids. */
function sent(): { readonly requests: unknown[]; readonly observe: (frame: object) => void } {
  const requests: unknown[] = [];
  const observe = ({ direction, message }: { direction?: string; message?: unknown }): void => {
    if (direction === 'out' && typeof message === 'object' && message !== null && 'method' in message) {
      requests.push({ method: message.method, params: 'params' in message ? message.params : undefined });
    }
  };
  return { requests, observe };
}

test('the mode is set by its own request, and then reported', async () => {
  const { requests, observe } = sent();
  const { session } = await script({ start: { newSession: { modes } }, observe });

  await session.setMode('code');

  expect(requests.at(-1)).toEqual({
    method: 'session/set_mode',
    params: { sessionId: session.id, modeId: 'code' },
  });
  expect(session.modes?.currentModeId).toBe('code');
});

test('an unavailable mode is rejected before anything is sent', async () => {
  const { requests, observe } = sent();
  const { session } = await script({ start: { newSession: { modes } }, observe });
  const before = requests.length;

  await expect(session.setMode('fly')).rejects.toMatchObject({
    code: 'not-offered',
    offered: ['ask', 'code'],
  });

  expect(requests).toHaveLength(before);
});

test('the model is set as an option, and all options are then reported', async () => {
  const { requests, observe } = sent();
  const changed = [{ ...model, currentValue: 'large' }];
  const { session } = await script({
    start: {
      newSession: { configOptions: [model] },
      answers: { 'session/set_config_option': { configOptions: changed } },
    },
    observe,
  });

  await session.setModel('large');

  expect(requests.at(-1)).toEqual({
    method: 'session/set_config_option',
    params: { sessionId: session.id, configId: 'model', value: 'large' },
  });
  expect(session.configOptions).toEqual(changed);
});

test.each([
  { _meta: { '_agentao.cn/extensions': [{ method: '_agentao.cn/set_model', description: 'Any model' }] } },
  { agentCapabilities: { _meta: { 'agentao.cn': { set_model: true } } } },
])(
  "a model of any name is set by Agentao's extension, advertised as $_meta$agentCapabilities",
  async (initialize) => {
    const { requests, observe } = sent();
    const { session } = await script({
      start: { initialize, newSession: { configOptions: [model] } },
      observe,
    });

    await session.setModel('any/name');

    expect(requests.at(-1)).toEqual({
      method: '_agentao.cn/set_model',
      params: { sessionId: session.id, model: 'any/name' },
    });
  },
);

test('the model of an old agent is set by the legacy method', async () => {
  const { requests, observe } = sent();
  const models = {
    currentModelId: 'a',
    availableModels: [
      { modelId: 'a', name: 'A' },
      { modelId: 'b', name: 'B' },
    ],
  };
  const { session } = await script({ start: { newSession: { models } }, observe });

  await session.setModel('b');

  expect(requests.at(-1)).toEqual({
    method: 'session/set_model',
    params: { sessionId: session.id, modelId: 'b' },
  });
});

test('changes by the agent itself are reported', async () => {
  const { session, play } = await script({ start: { newSession: { modes, configOptions: [model] } } });

  await play(
    { update: { sessionUpdate: 'current_mode_update', currentModeId: 'code' } },
    { update: { sessionUpdate: 'config_option_update', configOptions: [] } },
  );

  expect(session.modes?.currentModeId).toBe('code');
  expect(session.configOptions).toEqual([]);
});
