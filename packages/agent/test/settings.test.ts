import { expect, test } from 'vitest';
import { serve } from './served.ts';
import type { Served } from './served.ts';

// Nothing is asked of this provider: the settings are known without it.
const variables = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9', OPENAI_MODEL: 'o3' };

interface Select {
  readonly id: string;
  readonly type: string;
  readonly currentValue: string;
  readonly options: readonly { readonly value: string }[];
}

/** The options of an answer, or of an update as JSON. */
function optionsIn(result: unknown): readonly Select[] {
  const value: unknown = typeof result === 'string' ? JSON.parse(result) : result;
  if (typeof value !== 'object' || value === null) return [];
  if ('update' in value) return optionsIn(value.update);
  return 'configOptions' in value && isList(value.configOptions) ? value.configOptions : [];
}

function isList(value: unknown): value is readonly Select[] {
  return Array.isArray(value);
}

function currentIn(result: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(optionsIn(result).map(({ id, currentValue }) => [id, currentValue]));
}

function setMode(served: Served, modeId: unknown): Promise<unknown> {
  return served.connection.request('session/set_mode', { sessionId: served.sessionId, modeId });
}

test('A84 A86 A87: options are selects, the most important first, each with one of its values', async () => {
  await using served = await serve({ variables });
  const options = optionsIn(served.opened);
  expect(options.map(({ id, type }) => [id, type])).toEqual([
    ['model', 'select'],
    ['mode', 'select'],
    ['thought_level', 'select'],
  ]);
  for (const { currentValue, options: values } of options) {
    expect(values.map(({ value }) => value)).toContain(currentValue);
  }
});

test('A88: each answer has all options, as they are now', async () => {
  await using served = await serve({ variables });
  const set = async (configId: string, value: string): Promise<unknown> =>
    currentIn(await served.set({ configId, value }));
  expect(await set('mode', 'plan')).toEqual({ model: 'openai/o3', mode: 'plan', thought_level: 'default' });
  expect(await set('thought_level', 'high')).toEqual({
    model: 'openai/o3',
    mode: 'plan',
    thought_level: 'high',
  });
  expect(await set('model', 'parley/offline')).toEqual({ model: 'parley/offline', mode: 'plan' });
});

test('A89 A91: a setting that changes by another way is sent with all options', async () => {
  await using served = await serve({ variables });
  await setMode(served, 'read-only');
  expect(currentIn(served.heard.at(-1))).toEqual({
    model: 'openai/o3',
    mode: 'read-only',
    thought_level: 'default',
  });
  await served.setModel({ model: 'gpt-4o' });
  expect(currentIn(served.heard.at(-1))).toEqual({ model: 'openai/gpt-4o', mode: 'read-only' });
});

test('A90 A91: the modes are there twice, with the same ids, and in step', async () => {
  await using served = await serve({ variables });
  const mode = optionsIn(served.opened).find(({ id }) => id === 'mode');
  const ids = mode?.options.map(({ value }) => ({ id: value }));
  expect(served.opened).toMatchObject({
    modes: { currentModeId: mode?.currentValue, availableModes: ids },
  });
  await served.set({ configId: 'mode', value: 'full-access' });
  expect(served.heard.at(-1)).toContain('"currentModeId":"full-access"');
});

test('A83: an unknown mode is echoed, and changes neither right nor option', async () => {
  await using served = await serve({ variables });
  const count = served.heard.length;
  expect(await setMode(served, 'architect')).toEqual({ modeId: 'architect' });
  expect(served.heard.slice(count)).toEqual([expect.stringContaining('"currentModeId":"architect"')]);
  expect(currentIn(await served.set({ configId: 'thought_level', value: 'low' }))['mode']).toBe('confirm');
});

test.each([
  { configId: 'model', value: true, type: 'boolean' },
  { configId: 'model', value: 5 },
  { configId: 'model' },
  { configId: 'mode', value: 'architect' },
  { configId: 'mode', value: null },
  { configId: 'thought_level', value: 'minimal' },
  { configId: 'constructor', value: 'x' },
  { configId: '', value: 'x' },
  { value: 'x' },
])('A23: %j is refused, and changes nothing', async (params) => {
  await using served = await serve({ variables });
  await expect(served.set(params)).rejects.toMatchObject({ code: -32602 });
  const options = currentIn(await served.set({ configId: 'mode', value: 'confirm' }));
  expect(options).toEqual(currentIn(served.opened));
});

test.each(['', ' ', 5, undefined])('A23: the mode %j is refused', async (modeId) => {
  await using served = await serve({ variables });
  await expect(setMode(served, modeId)).rejects.toMatchObject({ code: -32602 });
});

test('A23: settings of a session that is not open are unknown', async () => {
  await using served = await serve({ variables });
  const sessionId = 'sess_none';
  const unknown = { code: -32002, data: { sessionId } };
  await expect(served.set({ sessionId, configId: 'mode', value: 'plan' })).rejects.toMatchObject(unknown);
  const mode = served.connection.request('session/set_mode', { sessionId, modeId: 'plan' });
  await expect(mode).rejects.toMatchObject(unknown);
});
