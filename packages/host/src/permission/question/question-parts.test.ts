import { expect, test } from 'vitest';
import { headlineOf } from './question-parts.ts';

test('the line of a request names each of its files', () => {
  const files = ['/work/a.txt', '/work/b.txt'].map((path) => ({ path, effect: 'write' }) as const);

  expect(headlineOf({ kind: 'edit', files, texts: [], title: 'Edit two files' })).toBe(
    '/work/a.txt, /work/b.txt',
  );
});
