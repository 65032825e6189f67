import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFilePattern } from './file-pattern.ts';

test.each([
  ['*.ts', ['a.ts', 'src/deep/a.ts', '.hidden/a.ts'], ['a.tsx', 'ts']],
  ['a?c', ['abc', 'x/a😀c'], ['ac', 'abbc']],
  ['src/*.ts', ['src/a.ts'], ['src/deep/a.ts', 'other/src/a.ts']],
  ['/a.ts', ['a.ts'], ['src/a.ts']],
  ['./src/a.ts', ['src/a.ts'], ['a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['src/a.js', 'b/src/a.ts']],
  ['**/test/**', ['test/a', 'x/test/y/a'], ['x/tests/a']],
  ['src/', ['src/a', 'src/b/c'], ['source/a']],
  ['**', ['a', 'b/c'], []],
  ['*.{ts,tsx}', ['a.ts', 'b/a.tsx'], ['a.t', 'a.ts,tsx']],
  ['{src,test}/{a,b{1,2}}.ts', ['src/a.ts', 'test/b2.ts'], ['src/b.ts', 'lib/a.ts']],
  ['[a-c]x[!0-9]', ['axy', 'cxy'], ['dxy', 'ax1']],
  ['[]x]', [']', 'x'], ['y']],
  ['[id].tsx', ['i.tsx'], ['[id].tsx']],
  [String.raw`\[id\].tsx`, ['[id].tsx'], ['i.tsx']],
  ['a[b', ['a[b'], ['ab']],
  ['a.b+(c)', ['a.b+(c)'], ['axb+(c)', 'a.bb(c)']],
] as const)('%s', (pattern, matching, others) => {
  const isWanted = parseFilePattern(pattern);
  expect(matching.filter((path) => !isWanted(path))).toEqual([]);
  expect(others.filter((path) => isWanted(path))).toEqual([]);
});

test.each([
  '',
  ' ',
  '\0',
  '../*.ts',
  'src/../../x',
  'x'.repeat(2000),
  '{a,b}'.repeat(20),
  `{${','.repeat(400)}}`,
])('the pattern %# is refused', (pattern) => {
  expect(() => parseFilePattern(pattern)).toThrow(expect.objectContaining({ code: 'invalid-pattern' }));
});

test('stars that fit in many ways cost no more than others', () => {
  const isWanted = parseFilePattern(`${'*a'.repeat(200)}b/${'**/x*/'.repeat(50)}y`);
  expect(isWanted(`${'a'.repeat(200)}/${'x/'.repeat(50)}z`)).toBe(false);
});

const names = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.x'), minLength: 1 });

test('a path matches itself, and with stars for its parts', () => {
  fc.assert(
    fc.property(fc.array(names, { minLength: 1 }), (segments) => {
      const path = segments.join('/');
      const last = segments.at(-1) ?? '';
      const patterns = [path, segments.map((name) => `${name.slice(0, 1)}*`).join('/'), '**', `**/${last}`];
      expect(patterns.map((pattern) => parseFilePattern(`/${pattern}`)(path))).toEqual(
        patterns.map(() => true),
      );
      expect(parseFilePattern(last)(path)).toBe(true);
    }),
  );
});

test('any pattern is read or refused', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...'ab*?[]{},!\\/-'), maxLength: 30 });
  fc.assert(
    fc.property(hostile, fc.string(), (pattern, path) => {
      try {
        expect(typeof parseFilePattern(pattern)(path)).toBe('boolean');
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid-pattern' });
      }
    }),
  );
});
