import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, emptyList, push, replace, values, type List } from './list.ts';

test('a list equals an array after any changes', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), value: fc.nat() }),
    fc.record({ kind: fc.constant('replace' as const), index: fc.nat(3000), value: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), fc.nat(2500), (changes, before) => {
      const array = Array.from({ length: before }, (_, index) => index);
      let list = array.reduce<List<number>>((grown, value) => push(grown, value), emptyList);
      for (const { kind, ...rest } of changes) {
        if (kind === 'push') {
          array.push(rest.value);
          list = push(list, rest.value);
        } else if ('index' in rest) {
          if (rest.index < array.length) array[rest.index] = rest.value;
          list = replace(list, rest.index, rest.value);
        }
      }
      expect([...values(list)]).toEqual(array);
      expect(at(list, array.length)).toBeUndefined();
      expect(at(list, -1)).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('adding to a list does not change the old list', () => {
  const before = [1, 2, 3].reduce<List<number>>(push, emptyList);
  push(replace(before, 0, 9), 4);
  expect([...values(before)]).toEqual([1, 2, 3]);
});
