import type { AgentCard, HubAgent } from '@parley/host/hub';
import { expect, test } from 'vitest';
import {
  chosenAgent,
  isWithin,
  offeredFolders,
  parseStartChoice,
  settingsToSend,
  startable,
  withChoices,
} from './start-choice.ts';

const agents: readonly HubAgent[] = [
  { name: 'codex', place: 'installed', signIn: 'unknown' },
  { name: 'parley', place: 'own', signIn: 'not-needed' },
  { name: 'goose', place: 'available', signIn: 'unknown', install: 'brew install goose' },
  { name: 'gemini', place: 'installed', signIn: 'signed-in', isDefault: true },
];

const card: AgentCard = {
  time: 1,
  startMs: 1,
  signInMethods: [],
  log: '',
  modes: {
    currentModeId: 'confirm',
    availableModes: [
      { id: 'confirm', name: 'Confirm' },
      { id: 'plan', name: 'Plan' },
    ],
  },
  configOptions: [
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      currentValue: 'small',
      options: [
        { value: 'small', name: 'Small' },
        { value: 'large', name: 'Large' },
      ],
    },
    { type: 'boolean', id: 'web', name: 'Web', currentValue: false },
  ],
};

test('agents that can start are offered, the default one first', () => {
  expect(startable(agents).map(({ name }) => name)).toEqual(['gemini', 'parley', 'codex']);
});

test('a chosen agent that is no longer offered is replaced by the default one', () => {
  expect(chosenAgent(agents, 'codex')?.name).toBe('codex');
  expect(chosenAgent(agents, 'goose')?.name).toBe('gemini');
  expect(chosenAgent([], 'codex')).toBeUndefined();
});

test.each([undefined, '', 'null', '[]', '{"agent":3,"settings":[]}', '{"settings":{"a":7}}'])(
  'what was kept and makes no sense (%s) chooses nothing',
  (text) => {
    expect(parseStartChoice(text)).toEqual(text?.includes('"a":7') === true ? { settings: {} } : {});
  },
);

test('the stored choice is restored', () => {
  const kept = {
    agent: 'parley',
    cwd: '/w',
    settings: { parley: { mode: 'plan', options: { web: true } } },
  };
  expect(parseStartChoice(JSON.stringify(kept))).toEqual(kept);
});

test('folders of other workspaces are not offered, and none is offered twice', () => {
  const session = {
    key: 'a',
    agent: 'parley',
    state: 'kept',
    createdAt: 1,
    questions: 0,
    queue: [],
  } as const;
  const sessions = [
    { ...session, cwd: '/w/old', updatedAt: 1 },
    { ...session, cwd: '/w/new', updatedAt: 2 },
    { ...session, cwd: '/w', updatedAt: 3 },
    { ...session, cwd: '/elsewhere', updatedAt: 4 },
    { ...session, cwd: '/world', updatedAt: 5 },
  ];
  expect(offeredFolders(['/w'], sessions)).toEqual(['/w', '/w/new', '/w/old']);
});

test('a folder is below another one only by whole names', () => {
  expect(isWithin('/w/a', '/w')).toBe(true);
  expect(isWithin('/w', '/w')).toBe(true);
  expect(isWithin('/world', '/w')).toBe(false);
  expect(isWithin('/world', '/')).toBe(true);
});

test("a chosen setting replaces the agent's default", () => {
  const offered = withChoices(card, { mode: 'plan', options: { model: 'large', web: true } });
  expect(offered.modes?.currentModeId).toBe('plan');
  expect(offered.configOptions).toMatchObject([{ currentValue: 'large' }, { currentValue: true }]);
});

test('settings that the agent no longer offers are not sent', () => {
  const chosen = { mode: 'gone', options: { model: 'gone', web: true, other: 'x' } };
  expect(withChoices(card, chosen).modes?.currentModeId).toBe('confirm');
  expect(settingsToSend(card, chosen)).toEqual({ options: { web: true } });
  expect(settingsToSend(undefined, chosen)).toEqual({});
  expect(settingsToSend(card, { mode: 'plan' })).toEqual({ mode: 'plan' });
});
