import { expect, test } from 'vitest';
import { toDuration, toSize } from './amount.ts';

test.each([
  [0.25, '0.3 ms'],
  [7, '7 ms'],
  [999, '999 ms'],
  [1500, '1.50 s'],
  [12_340, '12.3 s'],
  [125_000, '2 min 5 s'],
])('%d ms are written short', (ms, text) => {
  expect(toDuration(ms)).toBe(text);
});

test.each([
  [812, '812 B'],
  [1234, '1.2 kB'],
  [4_500_000, '4.5 MB'],
])('%d bytes are written short', (bytes, text) => {
  expect(toSize(bytes)).toBe(text);
});
