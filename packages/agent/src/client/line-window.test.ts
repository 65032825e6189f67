import { expect, test } from 'vitest';
import { lineWindow } from './line-window.ts';

test.each([
  ['a\nb\nc\n', {}, 'a\nb\nc\n', 3],
  ['a\nb\nc', {}, 'a\nb\nc', 3],
  ['a\nb\nc\n', { line: 2 }, 'b\nc\n', 3],
  ['a\nb\nc\n', { line: 2, limit: 1 }, 'b\n', 3],
  ['a\nb\nc', { line: 3, limit: 5 }, 'c', 3],
  ['a\r\nb\r\n', { line: 1, limit: 1 }, 'a\r\n', 2],
  ['a\n', { line: 7, limit: 2 }, '', 1],
  ['\n\n', { line: 2 }, '\n', 2],
  ['', {}, '', 0],
  ['', { line: 1, limit: 3 }, '', 0],
])('of %j the lines %j are %j, of %i', (text, window, expected, lines) => {
  expect(lineWindow(text, window)).toEqual({ text: expected, lines });
});

test('consecutive windows give the complete text', () => {
  const text = 'one\n\ntwo\r\nthree\n\nfour';
  const { lines } = lineWindow(text, {});
  const windows = Array.from({ length: lines }, (_, index) =>
    lineWindow(text, { line: index + 1, limit: 1 }),
  );
  expect(windows.map((window) => window.text).join('')).toBe(text);
});
