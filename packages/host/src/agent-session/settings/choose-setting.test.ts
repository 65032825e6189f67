import { expect, test } from 'vitest';
import { HostError } from '../../host-error.ts';
import { chooseMode, chooseModel, chooseConfigOption } from './choose-setting.ts';
import type { Settings } from './settings.ts';

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

const configOptions = [
  {
    id: 'llm',
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue: 'small',
    options: [
      { group: 'a', name: 'A', options: [{ value: 'small', name: 'Small' }] },
      { group: 'b', name: 'B', options: [{ value: 'large', name: 'Large' }] },
    ],
  },
  {
    id: 'effort',
    name: 'Effort',
    type: 'select',
    currentValue: 'low',
    options: [
      { value: 'low', name: 'Low' },
      { value: 'high', name: 'High' },
    ],
  },
  { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
] as const;

const models = [{ modelId: 'old-model' }];

function offered(act: () => unknown): readonly string[] | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof HostError && error.code === 'not-offered') return error.offered;
    throw error;
  }
}

test('a mode must be listed by the session', () => {
  expect(chooseMode({ modes }, 'code')).toEqual({ by: 'mode', modeId: 'code' });
  expect(offered(() => chooseMode({ modes }, 'fly'))).toEqual(['ask', 'code']);
  expect(offered(() => chooseMode({}, 'code'))).toEqual([]);
});

test('an option for the mode takes precedence over legacy modes', () => {
  const option = {
    id: 'm',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue: 'ask',
    options: [{ value: 'code', name: 'Code' }],
  } as const;

  expect(chooseMode({ modes, configOptions: [option] }, 'code')).toEqual({
    by: 'option',
    configId: 'm',
    value: 'code',
  });
  expect(chooseMode({ modes, configOptions: [option] }, 'ask')).toEqual({ by: 'mode', modeId: 'ask' });
});

test('a model is a value of the option for it, grouped or not', () => {
  expect(chooseModel({ configOptions }, 'large', false)).toEqual({
    by: 'option',
    configId: 'llm',
    value: 'large',
  });
  expect(offered(() => chooseModel({ configOptions, models }, 'huge', false))).toEqual([
    'small',
    'large',
    'old-model',
  ]);
});

test("any model name is passed to Agentao's extension if it is advertised", () => {
  expect(chooseModel({ configOptions }, 'large', true)).toEqual({
    by: 'option',
    configId: 'llm',
    value: 'large',
  });
  expect(chooseModel({ configOptions, models }, 'old-model', true)).toEqual({
    by: 'agentao-model',
    model: 'old-model',
  });
});

test('a model of an old agent is set by the legacy method', () => {
  expect(chooseModel({ models }, 'old-model', false)).toEqual({ by: 'legacy-model', modelId: 'old-model' });
});

test('an option accepts its values, a boolean one also true and false', () => {
  const settings: Settings = { configOptions };

  expect(chooseConfigOption(settings, 'effort', 'high')).toEqual({
    by: 'option',
    configId: 'effort',
    value: 'high',
  });
  expect(chooseConfigOption(settings, 'fast', 'true')).toEqual({
    by: 'option',
    configId: 'fast',
    value: true,
  });
  expect(chooseConfigOption(settings, 'fast', false)).toEqual({
    by: 'option',
    configId: 'fast',
    value: false,
  });
});

test('an unavailable option or value is rejected with the available ones', () => {
  expect(offered(() => chooseConfigOption({ configOptions }, 'colour', 'red'))).toEqual([
    'llm',
    'effort',
    'fast',
  ]);
  expect(offered(() => chooseConfigOption({ configOptions }, 'effort', 'max'))).toEqual(['low', 'high']);
  expect(offered(() => chooseConfigOption({ configOptions }, 'fast', 'maybe'))).toEqual(['true', 'false']);
  expect(() => chooseConfigOption({ configOptions }, 'effort', 'max')).toThrow(
    'the session does not offer value "max" of option "effort"; it offers "low", "high"',
  );
});
