import { expect, test } from 'vitest';
import { documentTitle } from './document-title.ts';
import { takeKey } from './shortcut.ts';

test('a key that is a whole shortcut does it', () => {
  expect(takeKey('', 'n')).toEqual({ kind: 'done', action: 'new-session' });
});

test('two keys, one after the other, are one shortcut', () => {
  expect(takeKey('', 'g')).toEqual({ kind: 'begun', typed: 'g' });
  expect(takeKey('g', 'i')).toEqual({ kind: 'done', action: 'inbox' });
});

test('a key that does not go on with what was begun counts by itself', () => {
  expect(takeKey('g', 'n')).toEqual({ kind: 'done', action: 'new-session' });
  expect(takeKey('g', 'x')).toEqual({ kind: 'none' });
  expect(takeKey('', 'i')).toEqual({ kind: 'none' });
});

test.each([
  ['Rename the store', 0, 'Rename the store - Parley'],
  ['Inbox', 2, '(2) Inbox - Parley'],
  [undefined, 1, '(1) Parley'],
])('a window that shows %s while %i questions wait is called %s', (page, waiting, title) => {
  expect(documentTitle(page, waiting)).toBe(title);
});
