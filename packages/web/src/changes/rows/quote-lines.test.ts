import { expect, test } from 'vitest';
import { quotedLines } from '../../limits.ts';
import { quoteLines } from './quote-lines.ts';

test('a comment names the file and the lines as they are now, and quotes them', () => {
  const lines = [
    { kind: 'same', oldLine: 3, newLine: 4, text: 'a' },
    { kind: 'removed', oldLine: 4, text: 'b' },
    { kind: 'added', newLine: 5, text: 'c' },
  ] as const;

  expect(quoteLines({ path: 'src/a.ts', lines }, ' Why? \n')).toBe(
    '`src/a.ts:4-5`\n```diff\n a\n-b\n+c\n```\nWhy?',
  );
});

test('removed lines have their old numbers', () => {
  const lines = [{ kind: 'removed', oldLine: 7, text: 'b' }] as const;

  expect(quoteLines({ path: 'a', lines }, 'x')).toBe('`a:7` (deleted)\n```diff\n-b\n```\nx');
});

test('fences in the lines and in the name do not end the quote', () => {
  const lines = [{ kind: 'added', newLine: 1, text: '````' }] as const;

  expect(quoteLines({ path: 'a`b', lines }, 'x')).toBe('``` a`b:1 ```\n`````diff\n+````\n`````\nx');
});

test('of many lines only the first are quoted', () => {
  const lines = Array.from({ length: quotedLines + 5 }, (_, index) => ({
    kind: 'added' as const,
    newLine: index + 1,
    text: 'x',
  }));

  const quoted = quoteLines({ path: 'a', lines }, 'y');
  expect(quoted.split('\n').filter((line) => line === '+x')).toHaveLength(quotedLines);
  expect(quoted).toContain('\n…\n');
});
