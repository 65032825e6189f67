import { expect, test } from 'vitest';
import { rankFiles } from './find-files.ts';

test('the beginning of a name counts more than its middle, and that more than the path', () => {
  const paths = ['read/deep/x.ts', 'src/unread.ts', 'README.md', 'src/long/reader.ts', 'other.ts'];

  expect(rankFiles(paths, 'read')).toEqual([
    'README.md',
    'src/long/reader.ts',
    'src/unread.ts',
    'read/deep/x.ts',
  ]);
});

test('an empty query matches every file, the shortest path first', () => {
  expect(rankFiles(['a/b.ts', 'c.ts'], '')).toEqual(['c.ts', 'a/b.ts']);
});
