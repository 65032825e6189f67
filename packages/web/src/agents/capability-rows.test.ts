import { expect, test } from 'vitest';
import { knownCapabilities, toCapabilityRows, toExtraCapabilities } from './capability-rows.ts';

test('supported, unsupported and unreported capabilities are distinguished', () => {
  const rows = toCapabilityRows({
    loadSession: true,
    promptCapabilities: { image: false },
    sessionCapabilities: { list: {}, close: null },
  });
  const states = Object.fromEntries(rows.map(({ path, state }) => [path, state]));
  expect(states).toMatchObject({
    loadSession: 'yes',
    'promptCapabilities.image': 'no',
    'promptCapabilities.audio': 'unreported',
    'sessionCapabilities.list': 'yes',
    'sessionCapabilities.close': 'no',
    'sessionCapabilities.resume': 'unreported',
    providers: 'unreported',
  });
  expect(rows).toHaveLength(Object.values(knownCapabilities).flat().length);
});

test('without a card every capability is unreported', () => {
  expect(new Set(toCapabilityRows(undefined).map(({ state }) => state))).toEqual(new Set(['unreported']));
  expect(toExtraCapabilities(undefined)).toEqual([]);
});

test('newer capabilities and extensions are listed as received', () => {
  const extras = toExtraCapabilities({
    loadSession: true,
    promptCapabilities: { image: true, video: true, _meta: { 'a.b/x': 1 } },
    sessionCapabilities: { list: { _meta: { paged: true } }, resume: {} },
    steering: { immediate: true },
    _meta: { 'agentao.cn': { set_model: true } },
  });
  expect(extras).toEqual([
    { path: 'promptCapabilities.video', json: 'true' },
    { path: 'promptCapabilities._meta', json: '{"a.b/x":1}' },
    { path: 'sessionCapabilities.list._meta', json: '{"paged":true}' },
    { path: 'steering', json: '{"immediate":true}' },
    { path: '_meta', json: '{"agentao.cn":{"set_model":true}}' },
  ]);
});
