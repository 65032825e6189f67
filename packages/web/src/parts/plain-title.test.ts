import { expect, test } from 'vitest';
import { plainTitle } from './plain-title.ts';

test('a title keeps letters of any direction, but no bidirectional control characters', () => {
  expect(plainTitle('Delete \u202egnp.txt\u202c')).toBe('Delete gnp.txt');
  expect(plainTitle('\u2067مرحبا\u2069 hello')).toBe('مرحبا hello');
});
