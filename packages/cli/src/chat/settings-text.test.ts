import { expect, test } from 'vitest';
import { modelsOf, modesOf, showOffer, toStatus } from './settings-text.ts';

const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

test("modes are listed in the agent's order, with the current one marked", () => {
  expect(showOffer(modesOf({ modes, configOptions: undefined }))).toBe('  * ask  Ask\n    code  Code\n');
});

test('an option of the category takes precedence over legacy modes, including groups', () => {
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

test('models come from an option, else from the list of old agents', () => {
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
  expect(showOffer(modelsOf({ models: undefined, configOptions: undefined }))).toContain('offers no choice');
});

test('the status line ends with the sandbox that holds the agent', () => {
  const session = { modes: undefined, models: undefined, configOptions: undefined };
  expect(toStatus(session)).toBeUndefined();
  expect(toStatus(session, { mode: 'read-only', engine: 'bubblewrap' })).toBe('sandbox: read-only');
  expect(toStatus(session, { mode: 'workspace', engine: 'bubblewrap', autoApprove: true })).toBe(
    'sandbox: workspace, commands approved',
  );
});
