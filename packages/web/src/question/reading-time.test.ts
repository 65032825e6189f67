import { readingMs } from '@parley/host/state';
import { expect, test } from 'vitest';
import { isTooEarly } from './reading-time.ts';

test('a key or click is ignored until the card could be read', () => {
  expect(isTooEarly(1000, 1000)).toBe(true);
  expect(isTooEarly(1000, 1000 + readingMs - 1)).toBe(true);
  expect(isTooEarly(1000, 1000 + readingMs)).toBe(false);
});
