import { expect, test } from 'vitest';
import { settingsAfter, toSettings, withModel } from './settings.ts';

const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] };

test('the models of old agents are read from their legacy field', () => {
  const models = {
    currentModelId: 'a',
    availableModels: [{ modelId: 'a', name: 'A' }, { modelId: 'b' }, 7, {}],
  };

  const response = { modes, models };
  const odd = { modes, models: 'none' };

  expect(toSettings(response)).toEqual({
    modes,
    models: [{ modelId: 'a', name: 'A', isCurrent: true }, { modelId: 'b' }],
  });
  expect(withModel(toSettings(response), 'b').models).toEqual([
    { modelId: 'a', name: 'A' },
    { modelId: 'b', isCurrent: true },
  ]);
  expect(toSettings(odd)).toEqual({ modes });
});

test('a mode update changes the current mode only if there are modes', () => {
  const update = { sessionUpdate: 'current_mode_update', currentModeId: 'code' } as const;

  expect(settingsAfter({ modes }, update)).toEqual({ modes: { ...modes, currentModeId: 'code' } });
  expect(settingsAfter({}, update)).toEqual({});
});

test('an update of the options replaces them all', () => {
  const option = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true } as const;

  expect(
    settingsAfter(
      { modes, configOptions: [] },
      { sessionUpdate: 'config_option_update', configOptions: [option] },
    ),
  ).toEqual({ modes, configOptions: [option] });
});
