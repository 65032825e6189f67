import { expect, test } from 'vitest';
import { firstCharacters } from './first-characters.ts';

test('a short text stays as it is', () => {
  expect(firstCharacters('abc', 3)).toBe('abc');
});

test('a long text is cut, and no character in two', () => {
  expect(firstCharacters('abcd', 3)).toBe('abc');
  expect(firstCharacters('ab😀', 3)).toBe('ab');
  expect(firstCharacters('ab😀x', 4)).toBe('ab😀');
});
