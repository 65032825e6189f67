import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test('a text that fits is unchanged', () => {
  expect(cutText('abcd', 4)).toBe('abcd');
});

test('a long text is cut in the middle, with the number of omitted characters', () => {
  expect(cutText('abcdefgh', 5)).toBe('abc\n[3 characters are left out here]\ngh');
  expect(cutText('a\nb\nc\nd\n', 4)).toBe('a\n[4 characters are left out here]\nd\n');
  expect(cutText('abc', 0)).toBe('[3 characters are left out here]\n');
});

test('no character is split', () => {
  expect(cutText('😀😀😀😀', 6)).toBe('😀\n[4 characters are left out here]\n😀');
});
