import { expect, test } from 'vitest';
import { positionsAfter, positionsAfterMove } from './positions.ts';

function times(...lists: readonly (readonly string[])[]): Readonly<Record<string, number>> {
  let positions: ReturnType<typeof positionsAfter> = new Map();
  for (const [time, ids] of lists.entries()) positions = positionsAfter(positions, ids, time);
  return Object.fromEntries(Array.from(positions, ([id, { since }]) => [id, since]));
}

test('content added below a card does not move it', () => {
  expect(times(['a'], ['a', 'b'], ['a', 'b', 'c'])).toEqual({ a: 0, b: 1, c: 2 });
});

test('content added or removed above a card moves it and restarts its reading time', () => {
  expect(times(['a', 'b', 'c'], ['a', 'c'])).toEqual({ a: 0, c: 1 });
  expect(times(['b'], ['a', 'b'])).toEqual({ a: 1, b: 1 });
});

test('only a card that has moved restarts its reading time', () => {
  const positions = positionsAfterMove(positionsAfter(new Map(), ['a', 'b', 'c'], 0), ['b', 'gone'], 5);
  expect(Array.from(positions, ([id, { since }]) => [id, since])).toEqual([
    ['a', 0],
    ['b', 5],
    ['c', 0],
  ]);
});
