import { expect, test } from 'vitest';
import { positionsAfter, positionsAfterMove } from './positions.ts';

function times(...lists: readonly (readonly string[])[]): Readonly<Record<string, number>> {
  let positions: ReturnType<typeof positionsAfter> = new Map();
  for (const [time, ids] of lists.entries()) positions = positionsAfter(positions, ids, time);
  return Object.fromEntries(Array.from(positions, ([id, { since }]) => [id, since]));
}

test('what comes below a card does not move it', () => {
  expect(times(['a'], ['a', 'b'], ['a', 'b', 'c'])).toEqual({ a: 0, b: 1, c: 2 });
});

test('what comes or goes above a card moves it, and the time to read it begins anew', () => {
  expect(times(['a', 'b', 'c'], ['a', 'c'])).toEqual({ a: 0, c: 1 });
  expect(times(['b'], ['a', 'b'])).toEqual({ a: 1, b: 1 });
});

test('for a card that has moved the time begins anew, and for no other', () => {
  const positions = positionsAfterMove(positionsAfter(new Map(), ['a', 'b', 'c'], 0), ['b', 'gone'], 5);
  expect(Array.from(positions, ([id, { since }]) => [id, since])).toEqual([
    ['a', 0],
    ['b', 5],
    ['c', 0],
  ]);
});
