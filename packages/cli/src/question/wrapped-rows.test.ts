import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapLine } from './wrapped-rows.ts';

test('a line wraps at the screen width, and wide characters take two columns', () => {
  expect(wrapLine('abcdef', 4)).toEqual(['abcd', 'ef']);
  expect(wrapLine('\u4e2d\u6587\u5b57', 4)).toEqual(['\u4e2d\u6587', '\u5b57']);
  expect(wrapLine('', 4)).toEqual(['']);
});

test('combining marks stay with their letter, and notes are not broken', () => {
  expect(wrapLine('abcde\u0301', 4)).toEqual(['abcd', 'e\u0301']);
  expect(wrapLine('ab⟨tab⟩', 8)).toEqual(['ab', '⟨tab⟩']);
});

test('tabs become spaces at the start of a line, and are shown as codes elsewhere', () => {
  expect(wrapLine('\t\ta\tb', 40)).toEqual(['        a⟨tab⟩b']);
});

test('no part of a line is lost at any width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 30 }), (line, width) => {
      // Tabs, and the mark of a continued line, are shown as codes.
      fc.pre(!/[\t\n↳]/u.test(line));
      expect(wrapLine(line, width).join('')).toBe(line);
    }),
  );
});
