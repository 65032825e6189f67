import { expect, test } from 'vitest';
import { advertise, isAdvertised } from './extension.ts';

test("extensions are advertised under their vendor, next to the author's fields", () => {
  const extensions = new Map([
    ['_zed.dev/open', {}],
    ['_zed.dev/workspace/symbols', { description: 'finds symbols' }],
    ['___proto__/x', {}],
  ]);
  const meta = advertise({ 'zed.dev': { open: 'mine', own: 1 }, note: 'n' }, extensions);
  expect(JSON.stringify(meta)).toBe(
    '{"zed.dev":{"workspace/symbols":{"description":"finds symbols"},"open":"mine","own":1},"note":"n","__proto__":{"x":true}}',
  );
});

test('a non-object value in place of a vendor stays', () => {
  expect(advertise({ 'zed.dev': 'yes' }, new Map([['_zed.dev/open', {}]]))).toEqual({ 'zed.dev': 'yes' });
});

test.each([
  ['_zed.dev/open', true],
  ['_zed.dev/described', true],
  ['_zed.dev/no', false],
  ['_zed.dev/absent', false],
  ['_zed.dev/constructor', false],
  ['_other/open', false],
  ['_flat/open', false],
  ['_constructor/name', false],
  ['_nothing', false],
])('%s is advertised: %s', (method, expected) => {
  const meta = { 'zed.dev': { open: true, described: { description: 'd' }, no: false }, flat: true };
  expect(isAdvertised(meta, method)).toBe(expected);
  expect(isAdvertised(undefined, method)).toBe(false);
});
