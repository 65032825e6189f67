import { expect, test } from 'vitest';
import { modelsOf, modesOf, showOffer } from './settings-text.ts';

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

test('modes are offered as the agent lists them, with a mark at the current one', () => {
  expect(showOffer(modesOf({ modes, configOptions: undefined }))).toBe('  * ask  Ask\n    code  Code\n');
});

test('an option of the category comes before the older modes, groups and all', () => {
  const offer = modesOf({
    modes,
    configOptions: [
      {
        id: 'm',
        name: 'Mode',
        category: 'mode',
        type: 'select',
        currentValue: 'b',
        options: [{ group: 'g', name: 'G', options: [{ value: 'a', name: 'a' }] }],
      },
    ],
  });
  expect(offer).toEqual({ current: 'b', choices: [{ id: 'a', name: 'a' }] });
});

test('models are found in an option, else in what old agents list', () => {
  const option = {
    id: 'model',
    name: 'Model',
    type: 'select' as const,
    currentValue: 'x',
    options: [{ value: 'x', name: 'X' }],
  };
  expect(modelsOf({ models: [{ modelId: 'old' }], configOptions: [option] }).current).toBe('x');
  const models = [{ modelId: 'old' }, { modelId: 'now', isCurrent: true }] as const;
  expect(modelsOf({ models, configOptions: undefined }).current).toBe('now');
  expect(modelsOf({ models: [{ modelId: 'old' }], configOptions: undefined }).choices).toEqual([
    { id: 'old', name: 'old' },
  ]);
});

test('an empty list of choices is reported', () => {
  expect(showOffer(modelsOf({ models: undefined, configOptions: undefined }))).toContain('nothing to choose');
});
