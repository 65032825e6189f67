import { expect, test } from 'vitest';
import { documentTitle } from './document-title.ts';
import { takeKey } from './shortcut.ts';

test('a single-key shortcut runs its action', () => {
  expect(takeKey('', 'n')).toEqual({ kind: 'done', action: 'new-session' });
});

test('two keys in a row are one shortcut', () => {
  expect(takeKey('', 'g')).toEqual({ kind: 'begun', typed: 'g' });
  expect(takeKey('g', 'i')).toEqual({ kind: 'done', action: 'inbox' });
});

test('a key that does not complete a sequence counts by itself', () => {
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
