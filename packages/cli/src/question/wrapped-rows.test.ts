import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapLine } from './wrapped-rows.ts';

test('a line is broken where the screen ends, wide characters count double', () => {
  expect(wrapLine('abcdef', 4)).toEqual(['abcd', 'ef']);
  expect(wrapLine('\u4e2d\u6587\u5b57', 4)).toEqual(['\u4e2d\u6587', '\u5b57']);
  expect(wrapLine('', 4)).toEqual(['']);
});

test('a mark stays with its letter, a note with itself', () => {
  expect(wrapLine('abcde\u0301', 4)).toEqual(['abcd', 'e\u0301']);
  expect(wrapLine('ab⟨tab⟩', 8)).toEqual(['ab', '⟨tab⟩']);
});

test('tabs are spaces at the beginning, and written out elsewhere', () => {
  expect(wrapLine('\t\ta\tb', 40)).toEqual(['        a⟨tab⟩b']);
});

test('nothing of a line is lost, at any width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 30 }), (line, width) => {
      fc.pre(!/[\t\n]/u.test(line));
      expect(wrapLine(line, width).join('')).toBe(line);
    }),
  );
});
