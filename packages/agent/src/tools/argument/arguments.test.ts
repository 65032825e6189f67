import { expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';

const invalid = (message: string): unknown => expect.objectContaining({ code: 'invalid-input', message });

test('each mistake is named', () => {
  const given = parseArguments('tool', {
    text: 5,
    word: ' ',
    list: {},
    count: 1.5,
    flag: 'maybe',
    choice: 'c',
  });
  expect(() => given.text('text')).toThrow(invalid('tool: "text" must be a text'));
  expect(() => given.text('missing')).toThrow(invalid('tool: "missing" must be a text'));
  expect(() => given.word('word')).toThrow(invalid('tool: "word" must be a text that is not empty'));
  expect(() => given.list('list')).toThrow(invalid('tool: "list" must be a list'));
  expect(() => given.optionalCount('count')).toThrow(invalid('tool: "count" must be a whole number from 1'));
  expect(() => given.optionalFlag('flag')).toThrow(invalid('tool: "flag" must be true or false'));
  expect(() => given.optionalChoice('choice', ['a', 'b'])).toThrow(
    invalid('tool: "choice" must be one of a, b'),
  );
});

test.each([5, null, [], '[]', 'no JSON', '"text"', undefined])('%j is no object', (input) => {
  expect(() => parseArguments('tool', input)).toThrow(invalid('tool: the arguments must be an object'));
});

test('null counts as absent', () => {
  const given = parseArguments('tool', { word: null });
  expect(given.optionalWord('word')).toBeUndefined();
  expect(given.optionalList('list')).toBeUndefined();
  expect(given.optionalCount('count')).toBeUndefined();
  expect(given.optionalFlag('flag')).toBeUndefined();
  expect(given.optionalChoice('choice', ['a'])).toBeUndefined();
});

test('JSON, numbers and booleans as text are understood', () => {
  const given = parseArguments(
    'tool',
    '{"list": "[1, 2]", "count": " 12 ", "flag": "true", "other": "false"}',
  );
  expect(given.list('list')).toEqual([1, 2]);
  expect(given.optionalCount('count')).toBe(12);
  expect(given.optionalFlag('flag')).toBe(true);
  expect(given.optionalFlag('other')).toBe(false);
});

test.each(['0', '-1', '1e3', '0x1', '1.0', '9'.repeat(20), ''])('the text %j is no count', (count) => {
  const given = parseArguments('tool', { count });
  expect(() => given.optionalCount('count')).toThrow(invalid('tool: "count" must be a whole number from 1'));
});

test('other spellings of a name are understood if the name itself is absent', () => {
  const given = parseArguments('edit', { file_path: 'a', old_string: 'b', NewText: 'c', path2: 'd' });
  expect(given.word('path')).toBe('a');
  expect(given.text('oldText')).toBe('b');
  expect(given.text('newText')).toBe('c');
  const both = parseArguments('read', { path: 'right', file_path: 'wrong' });
  expect(both.word('path')).toBe('right');
});

test('text is used unchanged', () => {
  expect(parseArguments('write', { text: '{"a": 1}' }).text('text')).toBe('{"a": 1}');
  expect(() => parseArguments('write', { text: { a: 1 } }).text('text')).toThrow(
    invalid('write: "text" must be a text'),
  );
});

test('names of the object prototype are not arguments', () => {
  const given = parseArguments('tool', {});
  expect(given.optionalWord('constructor')).toBeUndefined();
  expect(given.optionalWord('__proto__')).toBeUndefined();
});
