import { expect, test } from 'vitest';
import { titleOf } from './title-of.ts';

test.each([
  ['say: hi', 'say: hi'],
  ['\n \n  one\ttwo  \nthree', 'one two'],
  ['', undefined],
  ['x'.repeat(81), `${'x'.repeat(79)}…`],
])('%j is called %j', (text, title) => {
  expect(titleOf([{ type: 'text', text }])).toBe(title);
});

test('a prompt without text has no title', () => {
  expect(titleOf([{ type: 'resource_link', uri: 'file:///a', name: 'a' }])).toBeUndefined();
});
