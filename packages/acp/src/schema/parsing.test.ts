import { Invalid } from '@parley/wire';
import { expect, test } from 'vitest';
import { amended, parseList, parseListLeniently, parseRecord, parseString, without } from './parsing.ts';

/** Valid as they are, changed, or invalid. */
function parseWord(value: unknown): string | Invalid {
  return value === 'old' ? 'new' : parseString(value);
}

test('an unchanged value is passed on as the same object', () => {
  const list = ['a', 'b'];
  const record = { a: 'b' };

  expect(parseList(list, parseWord)).toBe(list);
  expect(parseListLeniently(list, parseWord)).toBe(list);
  expect(parseRecord(record, parseWord)).toBe(record);
});

test('a changed value is a copy', () => {
  const list = ['a', 'old', 'b'];
  const record = { a: 'b', c: 'old' };

  expect(parseList(list, parseWord)).toEqual(['a', 'new', 'b']);
  expect(parseListLeniently(list, parseWord)).toEqual(['a', 'new', 'b']);
  expect(parseRecord(record, parseWord)).toEqual({ a: 'b', c: 'new' });
  expect({ list, record }).toEqual({ list: ['a', 'old', 'b'], record: { a: 'b', c: 'old' } });
});

test('an invalid item makes a list invalid, or is removed', () => {
  expect(parseList(['a', 1], parseWord)).toEqual(new Invalid('[1]', 'a string'));
  expect(parseListLeniently([1, 'a', 2, 'old', 3], parseWord)).toEqual(['a', 'new']);
  expect(parseListLeniently([1], parseWord)).toEqual([]);
});

test('the path into a map does not repeat the key', () => {
  expect(parseRecord({ SECRET: 1 }, parseWord)).toEqual(new Invalid('*', 'a string'));
});

test('a map may have the key __proto__', () => {
  const record: unknown = JSON.parse('{"__proto__":"old","a":"b"}');

  const parsed = parseRecord(record, parseWord);

  expect(JSON.stringify(parsed)).toBe('{"__proto__":"new","a":"b"}');
});

test.each([[{}], ['text'], [null], [undefined]])('%j is no list', (value) => {
  expect(parseList(value, parseWord)).toEqual(new Invalid('', 'a list'));
  expect(parseListLeniently(value, parseWord)).toEqual(new Invalid('', 'a list'));
});

test.each([[[]], ['text'], [null], [undefined]])('%j is no map', (value) => {
  expect(parseRecord(value, parseWord)).toEqual(new Invalid('', 'an object'));
});

test('the first change makes a copy, the next ones go into it', () => {
  const source = { a: 1, b: 2, c: 3, d: 4 };

  const first = without(source, source, 'a');
  const second = amended(first, source, 'b', 'two');
  const third = amended(second, source, 'c', new Invalid('', 'a string'));

  expect(source).toEqual({ a: 1, b: 2, c: 3, d: 4 });
  expect(third).toBe(first);
  expect(third).toStrictEqual({ b: 'two', d: 4 });
});
