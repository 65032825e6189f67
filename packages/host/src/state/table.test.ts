import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyTable } from './empty-table.ts';
import { entries, get, set, type Table } from './table.ts';

test('a table behaves like a map, for any names', () => {
  const names = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('__proto__', 'constructor', 'length'));
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.nat()), { maxLength: 500 }), (pairs) => {
      const map = new Map(pairs);
      const table = pairs.reduce<Table<number>>(
        (grown, [name, value]) => set(grown, name, value),
        emptyTable,
      );
      expect(table.size).toBe(map.size);
      expect(new Map([...entries(table)].map(({ name, value }) => [name, value]))).toEqual(map);
      for (const [name, value] of map) expect(get(table, name)).toBe(value);
      expect(get(table, 'none of them')).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test('names with the same hash are different entries', () => {
  // Among so many names some have the same hash: 32 bits are few.
  let table: Table<number> = emptyTable;
  const count = 100_000;
  for (let index = 0; index < count; index += 1) table = set(table, `call_${String(index)}`, index);
  expect(table.size).toBe(count);
  for (let index = 0; index < count; index += 97) expect(get(table, `call_${String(index)}`)).toBe(index);
});
