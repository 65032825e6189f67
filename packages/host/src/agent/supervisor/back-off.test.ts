import { expect, test } from 'vitest';
import { BackOff } from './back-off.ts';

function all(backOff: BackOff): readonly number[] {
  const delays: number[] = [];
  for (let next = backOff.next(); next !== undefined; next = backOff.next()) delays.push(next.delayMs);
  return delays;
}

test('the first attempt is immediate, later ones after delays that double up to a maximum', () => {
  expect(all(new BackOff({ attempts: 6, delayMs: 100, maxDelayMs: 500 }))).toEqual([
    0, 100, 200, 400, 500, 500,
  ]);
});

test('after a success the delays start again', () => {
  const backOff = new BackOff({ attempts: 2, delayMs: 100 });
  expect(all(backOff)).toEqual([0, 100]);

  backOff.reset();

  expect(backOff.next()).toEqual({ attempt: 1, delayMs: 0 });
});
