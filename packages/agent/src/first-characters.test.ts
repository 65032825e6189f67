import { expect, test } from 'vitest';
import { firstCharacters } from './first-characters.ts';

test('a short text is unchanged', () => {
  expect(firstCharacters('abc', 3)).toBe('abc');
});

test('a long text is truncated without splitting a character', () => {
  expect(firstCharacters('abcd', 3)).toBe('abc');
  expect(firstCharacters('ab😀', 3)).toBe('ab');
  expect(firstCharacters('ab😀x', 4)).toBe('ab😀');
});
