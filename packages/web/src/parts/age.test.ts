import { expect, test } from 'vitest';
import { toAge } from './age.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

test.each([
  [0, { count: 0, unit: 'second' }],
  [59_999, { count: 0, unit: 'second' }],
  [minute, { count: 1, unit: 'minute' }],
  [119 * minute, { count: 1, unit: 'hour' }],
  [day, { count: 1, unit: 'day' }],
  [45 * day, { count: 1, unit: 'month' }],
  [364 * day, { count: 12, unit: 'month' }],
  [800 * day, { count: 2, unit: 'year' }],
])('%d ms are written in the largest unit that fits', (ms, age) => {
  expect(toAge(ms)).toEqual(age);
});
