import { expect, test } from 'vitest';
import { formatBytes, pathOf } from './format-bytes.ts';

test('a size has the unit that fits', () => {
  const said = [0, 999, 1000, 12_345, 999_600, 5_200_000, 7e9, 3e13].map(formatBytes);
  expect(said).toEqual(['0 B', '999 B', '1.0 kB', '12 kB', '1.0 MB', '5.2 MB', '7.0 GB', '30000 GB']);
});

test('a file URL is shown as a path', () => {
  expect(pathOf('file:///project/a%20b.ts')).toBe('/project/a b.ts');
  expect(pathOf('file:///project/100%')).toBe('/project/100%');
  expect(pathOf('https://example.com/a')).toBeUndefined();
  expect(pathOf('a.ts')).toBeUndefined();
});
