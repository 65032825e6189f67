import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAapServer } from '@parley/aap/server';
import { filesStore, SharedEventLogs } from '@parley/host';
import { RpcError } from '@parley/wire';
import { expect, test } from 'vitest';
import type { BridgeOptions } from '../src/index.ts';
import { bridge } from './bridge.ts';
import { fakeRun } from './fake-run.ts';
import { call, folder } from './scripted-agent.ts';

const model = {
  type: 'select',
  id: 'model',
  name: 'Model',
  category: 'model',
  currentValue: 'small',
  options: [
    { value: 'small', name: 'Small' },
    { value: 'large', name: 'Large' },
  ],
} as const;

const modes = {
  currentModeId: 'auto',
  availableModes: [
    { id: 'auto', name: 'Auto' },
    { id: 'ask', name: 'Ask' },
  ],
};

test("a probe returns the agent's identity and capabilities, and leaves nothing", async () => {
  const { agent, requests } = await bridge(
    {
      offers: { configOptions: [model], modes },
      capabilities: {
        promptCapabilities: { image: true },
        sessionCapabilities: { close: {}, delete: {} },
      },
    },
    { askMode: 'ask' },
  );

  await agent.probe();

  expect(agent.info).toMatchObject({
    name: 'scripted',
    version: '1.2.3',
    options: [
      { type: 'select', name: 'model', title: 'Model', options: ['small', 'large'], default: 'small' },
      { type: 'select', name: 'mode', options: ['auto', 'ask'], default: 'ask' },
    ],
    capabilities: {
      stream: { delta: {}, message: {}, none: {} },
      history: { full: {} },
      image: { data: {} },
    },
  });
  expect(agent.info.tools?.map(({ name }) => name)).toContain('execute');
  expect(agent.info.capabilities?.application).toBeUndefined();
  expect(requests).toEqual(['session/new', 'session/close', 'session/delete']);
  expect(agent.processes).toBe(0);
});

test('a probe succeeds even if the agent does not close its session in time', async () => {
  const over = new AbortController();
  const { agent } = await bridge({
    capabilities: { sessionCapabilities: { close: {} } },
    closes: 'never',
    onRequest: (method) => {
      if (method === 'session/close') over.abort();
    },
  });

  await agent.probe({ signal: over.signal });

  expect(agent.info.version).toBe('1.2.3');
});

test.each(['unknown', '1.0', '1.0.0-beta_1', ''])(
  'the version %j is none that applications could compare',
  async (version) => {
    const { agent } = await bridge({ version });
    await agent.probe();
    expect(agent.info.version).toBe('0.0.0');
    expect(createAapServer([agent])).toBeDefined();
  },
);

test('an agent that cannot be probed is offered without options until a probe succeeds', async () => {
  let isSick = true;
  const { agent } = await bridge({
    version: 'unknown',
    offers: { modes },
    onStart: () => {
      if (isSick) throw new Error('not today');
    },
  });

  await expect(agent.probe()).rejects.toThrow('not today');
  expect(agent.info).toMatchObject({ name: 'scripted', version: '0.0.0', options: [] });
  isSick = false;
  await agent.run(fakeRun().run);

  expect(agent.info.options).toMatchObject([{ name: 'mode' }]);
});

test('duplicate options of an agent are offered once', async () => {
  const { agent } = await bridge({
    offers: { configOptions: [model, { ...model, options: [...model.options, ...model.options] }] },
  });

  await agent.probe();

  expect(agent.info.options).toMatchObject([{ name: 'model', options: ['small', 'large'] }]);
});

test('a run sets only options that differ', async () => {
  const { agent, requests } = await bridge({ offers: { configOptions: [model], modes } });
  const options = { model: 'large', mode: 'auto' };

  await agent.run(fakeRun({ options }).run);

  expect(requests).toEqual(['session/new', 'session/set_config_option model large', 'session/prompt']);
});

const models = {
  currentModelId: 'small',
  availableModels: [{ modelId: 'small', name: 'Small' }, { modelId: 'large' }],
};

test('the models of an old agent are one option, set by the legacy method', async () => {
  const { agent, requests } = await bridge({ offers: { modes, models } });

  await agent.probe();
  await agent.run(fakeRun({ options: { model: 'large' } }).run);

  expect(agent.info.options).toMatchObject([
    { name: 'mode' },
    { type: 'select', name: 'model', title: 'Model', options: ['small', 'large'], default: 'small' },
  ]);
  expect(requests.slice(-2)).toEqual([
    'session/set_model {"sessionId":"session-2","modelId":"large"}',
    'session/prompt',
  ]);
});

test.each([
  ['a config option is the model', { configOptions: [{ ...model, id: 'brain' }], models }, ['brain']],
  ['nothing says which one it has', { models: { ...models, currentModelId: 'gone' } }, []],
])('older models are no option where %s', async (_where, offers, names) => {
  const { agent } = await bridge({ offers });

  await agent.probe();

  expect(agent.info.options?.map(({ name }) => name)).toEqual(names);
});

test('an agent that was not probed yet is started in a mode that asks', async () => {
  const { agent, requests } = await bridge({ offers: { modes } }, { askMode: 'ask' });

  await agent.run(fakeRun().run);

  expect(requests).toEqual(['session/new', 'session/set_mode ask', 'session/prompt']);
});

test('an unavailable value ends the run, unless it is a default', async () => {
  const { agent } = await bridge({ offers: { modes } });

  expect(await agent.run(fakeRun({ options: { mode: 'none' } }).run)).toMatchObject({
    stopReason: 'error',
    error: { code: 'option_not_offered' },
  });
});

test('options that the agent changes itself become options of the session', async () => {
  const { agent } = await bridge({
    offers: { modes, configOptions: [{ ...model, id: 'brain' }] },
    turn: async ({ update }) => {
      await update({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' });
      await update({
        sessionUpdate: 'config_option_update',
        configOptions: [{ ...model, id: 'brain', currentValue: 'large' }],
      });
    },
  });
  const { run, output } = fakeRun({ options: { mode: 'auto', brain: 'small' } });

  await agent.run(run);

  expect(output).toEqual([
    ['session', { options: { mode: 'ask' } }],
    ['options', { options: { mode: 'ask' } }],
    ['session', { options: { brain: 'large' } }],
    ['options', { options: { brain: 'large' } }],
  ]);
});

const secretOption = {
  options: [{ type: 'secret', name: 'key', env: 'AGENT_KEY', default: '' }],
} satisfies Partial<BridgeOptions>;

test('a secret is a variable of the process; another value starts another process', async () => {
  const starts: unknown[] = [];
  const { agent, requests } = await bridge(
    {
      capabilities: { sessionCapabilities: { resume: {} } },
      onStart: ({ env }) => void starts.push(env),
    },
    secretOption,
  );
  const first = fakeRun({ options: { key: '' } });
  await agent.run(first.run);
  const state = first.state();
  await agent.run(fakeRun({ options: { key: 'sesame' }, state }).run);
  await agent.run(fakeRun({ options: { key: 'sesame' }, state }).run);

  expect(starts).toEqual([{}, { AGENT_KEY: 'sesame' }]);
  expect(requests.filter((method) => method !== 'session/prompt')).toEqual(['session/new', 'session/resume']);
});

test('no output contains a secret, complete or in parts', async () => {
  const seen: unknown[] = [];
  const directory = await folder();
  const { agent } = await bridge(
    {
      turn: async ({ say, update, client, request: { sessionId } }) => {
        await say('the key is ses');
        await say('ame, I think. ');
        await say('Open s');
        const rawInput = { command: 'login sesame' };
        await update(call('a', { kind: 'execute', status: 'in_progress', rawInput, title: 'login sesame' }));
        const toolCall = { toolCallId: 'b', kind: 'execute', rawInput, title: 'sesame' } as const;
        const options = [{ optionId: 'yes', name: 'Yes, with sesame', kind: 'allow_once' }] as const;
        await client.request('session/request_permission', { sessionId, toolCall, options });
        await client.request('elicitation/create', {
          sessionId,
          mode: 'form',
          message: 'Is sesame right?',
          requestedSchema: {
            type: 'object',
            properties: { key: { type: 'string', description: 'The key', default: 'sesame' } },
          },
        });
        throw new RpcError(-32603, 'sesame is wrong');
      },
    },
    {
      ...secretOption,
      eventLogs: new SharedEventLogs({ store: filesStore(directory), program: 'test 1.0.0' }),
      onEvent: (event) => void seen.push(event),
    },
  );
  const { run, output, of } = fakeRun({
    options: { key: 'sesame' },
    clientTools: [{ name: 'ask_user', description: 'Asks.', parameters: { type: 'object' } }],
  });

  const end = await agent.run(run);

  expect(
    of('text')
      .map(([, text]) => text)
      .join(''),
  ).toBe('the key is ***, I think. Open s');
  expect(end).toMatchObject({ error: { message: 'the agent refused: *** is wrong (-32603)' } });
  expect(JSON.stringify([output, end, seen])).not.toContain('sesame');
  await agent.close();
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toMatch(/sesame|the key is ses/u);
  }
  expect(JSON.stringify(output)).toContain('login ***');
  expect(of('client-tool')).toMatchObject([['client-tool', 'ask_user', { question: 'Is *** right?' }]]);
});
