import { expect, test } from 'vitest';
import { branchesOf, findInJson, toJsonRows, type JsonFolding } from './json-rows.ts';

const whole: JsonFolding = { isOpen: () => true, limit: () => Infinity };

test('a value is shown line by line, in its own order', () => {
  const rows = toJsonRows({ b: [1, true, null], 'a/~': 'text', none: {} }, whole);
  expect(rows).toEqual([
    { path: '', depth: 0, kind: 'object', size: 3, isOpen: true },
    { path: '/b', depth: 1, name: 'b', kind: 'list', size: 3, isOpen: true },
    { path: '/b/0', depth: 2, name: '0', kind: 'number', text: '1' },
    { path: '/b/1', depth: 2, name: '1', kind: 'boolean', text: 'true' },
    { path: '/b/2', depth: 2, name: '2', kind: 'null', text: 'null' },
    { path: '/a~1~0', depth: 1, name: 'a/~', kind: 'string', text: 'text' },
    { path: '/none', depth: 1, name: 'none', kind: 'object', size: 0, isOpen: false },
  ]);
});

test('collapsed values have no lines, and a long list shows its first items', () => {
  const rows = toJsonRows(
    { long: Array.from({ length: 5000 }, (_item, index) => index), folded: { a: 1 } },
    { isOpen: (path) => path !== '/folded', limit: () => 2 },
  );
  expect(rows.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'object ',
    'list /long',
    'number /long/0',
    'number /long/1',
    'rest /long',
    'object /folded',
  ]);
  expect(rows[4]).toMatchObject({ count: 4998 });
});

test('text is found in names and values, case-insensitively and in order', () => {
  const value = { Path: 'x', list: [{ y: 'a PATH' }, 12], n: 312 };
  expect(findInJson(value, 'path')).toEqual(['/Path', '/list/0/y']);
  expect(findInJson(value, '12')).toEqual(['/list/1', '/n']);
  expect(findInJson(value, '')).toEqual([]);
  expect(findInJson(value, '1', 1)).toEqual(['/list/1']);
});

test('a value that is deeper than the stack can be shown and searched', () => {
  const depth = 10_000;
  const value: unknown = JSON.parse(`${'['.repeat(depth)}"x"${']'.repeat(depth)}`);
  expect(toJsonRows(value, whole)).toHaveLength(depth + 1);
  expect(findInJson(value, 'x')).toHaveLength(1);
});

test('the parents of a value are listed from the root', () => {
  expect(branchesOf('/a/b~1c/0')).toEqual(['', '/a', '/a/b~1c']);
  expect(branchesOf('')).toEqual([]);
});
