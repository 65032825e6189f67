import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GlobFault, parseGlob } from './glob.ts';

function matches(pattern: string, path: string): boolean {
  return parseGlob(pattern).matches(path.split('/'));
}

test.each([
  ['*.md', 'README.md', true],
  ['*.md', 'docs/README.md', false],
  ['**/*.md', 'README.md', true],
  ['**/*.md', 'docs/a/README.md', true],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/a/b/c.ts', true],
  ['src/**/*.ts', 'lib/src/a.ts', false],
  ['src/**', 'src/a', true],
  ['src/**', 'src', false],
  ['**', '.env', true],
  ['*', '.env', true],
  ['?.ts', 'a.ts', true],
  ['?.ts', 'ab.ts', false],
  ['?', '😀', true],
  ['[ab].ts', 'b.ts', true],
  ['[a-c]x', 'cx', true],
  ['[!a-c]x', 'cx', false],
  ['[^a]x', 'bx', true],
  ['[]]x', ']x', true],
  ['[*]', '*', true],
  ['[*]', 'a', false],
  ['{a,b}/c', 'b/c', true],
  ['{a/b,c}.ts', 'a/b.ts', true],
  ['{a,{b,c}d}', 'cd', true],
  ['{,x}a', 'a', true],
  ['[{]a', '{a', true],
  ['a}', 'a}', true],
  ['a**b', 'axxb', true],
  ['a**b', 'ax/xb', false],
  ['**/a/**/b', 'x/a/y/a/z/b', true],
  ['./a//b/', 'a/b', true],
])('%s on %s: %s', (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test.each(['a/[b', 'a[/]b', '{a', '{a}', '{1..3}', '*/../a', '{a,b}'.repeat(7), 'a'.repeat(1025)])(
  '%s means nothing',
  (pattern) => {
    expect(() => parseGlob(pattern)).toThrow(GlobFault);
  },
);

test('a folder that matches is above what is in it', () => {
  const glob = parseGlob('**/secret*');
  expect(glob.matchesAbove(['a', 'secrets', 'b'])).toBe(true);
  expect(glob.matchesAbove(['a', 'secrets'])).toBe(true);
  expect(glob.matchesAbove(['a', 'other'])).toBe(false);
});

describe('any pattern and path', () => {
  const names = fc.array(fc.stringMatching(/^[ab.]{1,4}$/), { minLength: 1, maxLength: 5 });

  test('a path of plain names matches itself alone', () => {
    fc.assert(
      fc.property(names, names, (left, right) => {
        fc.pre(!left.includes('.') && !left.includes('..'));
        expect(parseGlob(left.join('/')).matches(right)).toBe(left.join('/') === right.join('/'));
      }),
    );
  });

  test('stars match as a regular expression says', () => {
    const patterns = fc.array(fc.stringMatching(/^[ab*?]{1,4}$/), { minLength: 1, maxLength: 4 });
    const paths = fc.array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        const steps = pattern.map((name, index) => {
          const isLast = index === pattern.length - 1;
          if (name === '**') return isLast ? '.+' : '(?:[^/]+/)*';
          return name.replaceAll(/\*+/g, '[^/]*').replaceAll('?', '[^/]') + (isLast ? '' : '/');
        });
        const expected = new RegExp(`^${steps.join('')}$`).test(path.join('/'));
        expect(parseGlob(pattern.join('/')).matches(path)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('a pattern made to go wrong is answered all the same', () => {
    const hostile = `${'*a'.repeat(500)}b`;
    expect(matches(hostile, 'a'.repeat(4000))).toBe(false);
    expect(parseGlob(`${'**/a/'.repeat(200)}b`).matches('a/'.repeat(2000).split('/'))).toBe(false);
  });

  test('any text is read, or said to mean nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('*', '[', ']', '{', '}', ',', '!', '-', '/', '.', 'a') }),
        (text) => {
          try {
            parseGlob(text).matches(['a', 'b']);
          } catch (error) {
            expect(error).toBeInstanceOf(GlobFault);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
