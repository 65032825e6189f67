import { expect, test } from 'vitest';
import { replaceOnce } from './replace.ts';

test('the only place is changed, and its line is told', () => {
  expect(replaceOnce('one\ntwo\nthree\n', 'two', '2')).toEqual({ newText: 'one\n2\nthree\n', line: 2 });
});

test('the new text is taken as it is, dollar signs too', () => {
  expect(replaceOnce('cost: x', 'x', '$& $1 $$')).toEqual({ newText: 'cost: $& $1 $$', line: 1 });
});

test('a text that is not there is refused', () => {
  expect(() => replaceOnce('abc', 'x', 'y')).toThrow(expect.objectContaining({ code: 'no-match' }));
});

test('a text that is there several times is refused with the number', () => {
  expect(() => replaceOnce('a b a c a', 'a', 'y')).toThrow(/3 times/u);
  expect(() => replaceOnce('a b a c a', 'a', 'y')).toThrow(
    expect.objectContaining({ code: 'ambiguous-match' }),
  );
});

test('places that overlap are ambiguous too', () => {
  expect(() => replaceOnce('aaa', 'aa', 'y')).toThrow(expect.objectContaining({ code: 'ambiguous-match' }));
});
