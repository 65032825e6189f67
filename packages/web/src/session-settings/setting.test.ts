import type { SessionConfigOption, SessionModeState } from '@parley/acp';
import { expect, test } from 'vitest';
import { asksNothing, byCategory, searchChoices, toSettings, valueName, type Setting } from './setting.ts';

const modes: SessionModeState = {
  currentModeId: 'default',
  availableModes: [
    { id: 'default', name: 'Always ask' },
    { id: 'bypassPermissions', name: 'Bypass permissions', description: 'Asks nothing' },
  ],
};

const model: SessionConfigOption = {
  id: 'llm',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue: 'b',
  options: [
    { group: 'one', name: 'One', options: [{ value: 'a', name: 'Alpha' }] },
    { group: 'two', name: 'Two', options: [{ value: 'b', name: 'Beta', description: 'The fast one' }] },
  ],
};

const web: SessionConfigOption = { id: 'web', name: 'Web search', type: 'boolean', currentValue: true };

function choiceIn(settings: readonly Setting[], id: string): Extract<Setting, { readonly kind: 'choice' }> {
  const found = settings.find((setting) => setting.id === id);
  if (found?.kind !== 'choice') throw new Error(`no choice ${id}`);
  return found;
}

test('the mode comes first, then the model, then the rest', () => {
  const settings = toSettings({ modes, configOptions: [web, model] });

  expect(settings.map(({ id, by }) => [id, by])).toEqual([
    ['mode', 'mode'],
    ['llm', 'option'],
    ['web', 'option'],
  ]);
});

test('if an option is the mode, the legacy modes are not shown too', () => {
  const mode: SessionConfigOption = {
    id: 'm',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue: 'yolo',
    options: [{ value: 'yolo', name: 'YOLO' }],
  };

  expect(toSettings({ modes, configOptions: [mode] }).map(({ by }) => by)).toEqual(['option']);
});

test('models of the older protocol can be chosen unless an option is the model', () => {
  const models = [{ modelId: 'x', name: 'X' }, { modelId: 'y' }];

  const alone = choiceIn(toSettings({ models }), 'model');
  expect(alone).toMatchObject({ by: 'model', category: 'model' });
  expect(alone.groups[0]?.choices.map(({ name }) => name)).toEqual(['X', 'y']);
  expect(valueName(alone)).toBeUndefined();
  const known = [...models, { modelId: 'z', isCurrent: true } as const];
  expect(valueName(choiceIn(toSettings({ models: known }), 'model'))).toBe('z');
  expect(toSettings({ models, configOptions: [model] }).map(({ id }) => id)).toEqual(['llm']);
});

test('only a mode that never asks is marked as such', () => {
  const setting = choiceIn(toSettings({ modes }), 'mode');

  expect(setting.groups[0]?.choices.map((choice) => choice.asksNothing)).toEqual([undefined, true]);
  expect(asksNothing(setting)).toBe(false);
  expect(asksNothing({ ...setting, value: 'bypassPermissions' })).toBe(true);
});

test("a value is shown by the agent's name, else by its id", () => {
  const setting = choiceIn(toSettings({ configOptions: [model] }), 'llm');

  expect(valueName(setting)).toBe('Beta');
  expect(valueName({ ...setting, value: 'gone' })).toBe('gone');
});

test('a choice is found by any of its words', () => {
  const { groups } = choiceIn(toSettings({ configOptions: [model] }), 'llm');

  expect(searchChoices(groups, '')).toBe(groups);
  expect(searchChoices(groups, 'FAST two')).toEqual([groups[1]]);
  expect(searchChoices(groups, 'gamma')).toEqual([]);
});

test('an option of an unknown type is shown, and cannot be set', () => {
  const unknown: SessionConfigOption = { id: 'u', name: 'Later', type: 'unknown', raw: {} };

  expect(toSettings({ configOptions: [unknown] })).toEqual([
    { kind: 'unknown', id: 'u', by: 'option', category: 'other', name: 'Later' },
  ]);
});

test('settings are grouped by category', () => {
  const settings = toSettings({
    modes,
    configOptions: [web, model, { ...web, id: 'web2', category: '_own' }],
  });

  expect(byCategory(settings).map(({ category, settings: each }) => [category, each.length])).toEqual([
    ['mode', 1],
    ['model', 1],
    ['other', 2],
  ]);
});
