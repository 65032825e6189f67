import { expect, test } from 'vitest';
import { methodTable, orEmpty } from './method-table.ts';

test('a name from a peer finds only methods', () => {
  const table: Readonly<Record<string, unknown>> = methodTable({ initialize: 1 });

  expect(table['initialize']).toBe(1);
  expect(table['constructor']).toBeUndefined();
  expect(table['__proto__']).toBeUndefined();
});

test('optional params are read as an empty object', () => {
  const parse = orEmpty((value) => value);

  expect(parse(undefined)).toEqual({});
  expect(parse(null)).toEqual({});
  expect(parse({ cursor: 'x' })).toEqual({ cursor: 'x' });
  expect(parse(0)).toBe(0);
});
