import { expect, test } from 'vitest';
import { flatFields, toJson } from './value-text.ts';

test('an object of simple values is shown as fields', () => {
  expect(flatFields({ command: 'npm test', timeout: 5, args: ['a', 'b'], dry: false })).toEqual([
    ['command', 'npm test'],
    ['timeout', '5'],
    ['args', 'a\nb'],
    ['dry', 'false'],
  ]);
});

test('any other value is shown as JSON', () => {
  for (const value of [undefined, null, 'text', [], {}, { a: { b: 1 } }, [1]]) {
    expect(flatFields(value)).toBeUndefined();
  }
  expect(toJson({ a: { b: 1 } })).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
  expect(toJson(undefined)).toBe('undefined');
});
