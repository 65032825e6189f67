import { expect, test } from 'vitest';
import { isInt32, isInt64, isObject, isUint16, isUint32, isUint64 } from './value.ts';

test('null and lists are not objects', () => {
  expect([{}, { a: 1 }].every(isObject)).toBe(true);
  expect([null, undefined, [], 'text', 1].some(isObject)).toBe(false);
});

test.each([
  ['uint16', isUint16, 0, 0xffff],
  ['uint32', isUint32, 0, 0xffff_ffff],
  ['int32', isInt32, -0x8000_0000, 0x7fff_ffff],
  ['uint64', isUint64, 0, 2 ** 64],
  ['int64', isInt64, -(2 ** 63), 2 ** 63],
])('%s takes whole numbers of its range only', (_name, isOne, least, most) => {
  expect([least, 0, 1, most].every(isOne)).toBe(true);
  expect([0.5, Number.NaN, Infinity, '1', null, true, least - 1e4, most + 1e4].some(isOne)).toBe(false);
});
