import * as v from 'valibot';
import { expect, test } from 'vitest';
import { checkValue, pathText } from './check-value.ts';
import {
  byName,
  checked,
  either,
  fields,
  flag,
  isObject,
  knownFields,
  listOf,
  number,
  oneOf,
  optional,
  text,
  word,
  type Schema,
} from './shapes.ts';

function faultsOf(schema: Schema<unknown>, value: unknown): readonly string[] {
  return checkValue(schema, value).faults.map(({ kind, path, reason, found }) =>
    [kind, pathText(path), reason, ...(found === undefined ? [] : [found])].join(' | '),
  );
}

test.each<[schema: Schema<unknown>, value: unknown, fault: string]>([
  [text, 5, 'type |  | text | a number'],
  [word, '', 'value |  | must not be empty'],
  [flag, null, 'type |  | true or false | null'],
  [number, true, 'type |  | a number | true'],
  [oneOf(['a', 'b']), 's3cret', 'type |  | "a" or "b" | text'],
  [listOf(text), ['a', {}], 'type | [1] | text | an object'],
  [listOf(text), 's3cret', 'type |  | a list | text'],
  [fields({ a: text }), [], 'type |  | an object | a list'],
  [fields({ a: text }), {}, 'missing | a | text'],
  [fields({ a: optional(text) }), { a: null }, 'type | a | text | null'],
  [byName(text), { 'a b': ['s3cret'] }, 'type | "a b" | text | a list'],
  [
    byName(
      text,
      checked(text, () => 'is no name'),
    ),
    { x: 's3cret' },
    'value | x | is no name',
  ],
  [checked(text, () => 'is too long'), 's3cret', 'value |  | is too long'],
  [
    checked(fields({ a: text }), () => ({ field: 'a', reason: 'is used' })),
    { a: 's3cret' },
    'value | a | is used',
  ],
  [either([fields({ a: text }), text], isObject), { a: 1 }, 'type | a | text | a number'],
  [either([fields({ a: text }), text], isObject), 1, 'type |  | text | a number'],
  // A schema without words of its own: the words of valibot would quote the value.
  [v.pipe(v.string(), v.regex(/^x$/u)), 's3cret', 'value |  | /^x$/u'],
])('%# a fault says what was expected, and nothing of the value', (schema, value, fault) => {
  expect(faultsOf(schema, value)).toEqual([fault]);
});

test('an unknown field is a fault that leaves the value, without the field', () => {
  const schema = listOf(
    knownFields({ a: text, b: optional(text) }, ({ a }) => `unknown beside ${String(a)}`),
  );

  const result = checkValue(schema, [{ a: 'x', toString: 1, b: 'y' }]);

  expect(result).toEqual({
    isTyped: true,
    value: [{ a: 'x', b: 'y' }],
    faults: [{ kind: 'unknown', path: [0, 'toString'], reason: 'unknown beside x' }],
  });
});

test('each field is checked, and all faults are named', () => {
  const schema = knownFields({ a: text, b: listOf(number), c: fields({ d: flag }) }, () => 'unknown');

  expect(faultsOf(schema, { b: [1, '2'], c: {}, e: 1 })).toEqual([
    'missing | a | text',
    'type | b[1] | a number | text',
    'missing | c.d | true or false',
    'unknown | e | unknown',
  ]);
});

test('values by name keep names that objects have of their own', () => {
  const value: unknown = JSON.parse('{"constructor": "a", "__proto__": "b"}');

  const result = checkValue(byName(text), value);

  expect(result.isTyped && [...result.value]).toEqual([
    ['constructor', 'a'],
    ['__proto__', 'b'],
  ]);
});
