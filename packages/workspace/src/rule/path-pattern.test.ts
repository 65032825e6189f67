import { expect, test } from 'vitest';
import { globFault } from './glob.ts';
import { escapePath, matchesPath, type PathPlace } from './path-pattern.ts';

const place: PathPlace = { cwd: '/project', home: '/home/me', platform: 'linux' };

function covers(pattern: string, file: string, at: PathPlace = place): boolean | undefined {
  return matchesPath(pattern, file, 'exact', at);
}

test.each([
  ['src', '/project/src', true],
  ['src', '/project/src/a/b', true],
  ['src/', '/project/src/a', true],
  ['src', '/project/srcs', false],
  ['.', '/project/a', true],
  ['/', '/anything', true],
  ['/etc', '/etc/passwd', true],
  ['../other', '/other/a', true],
  ['~', '/home/me/a', true],
  ['~/.ssh', '/home/me/.ssh/id', true],
  ['~/*.key', '/home/me/a.key', true],
  ['~me', '/project/~me', true],
  ['*.md', '/project/a.md', true],
  ['*.md', '/other/a.md', false],
  ['**', '/project', false],
  ['/**/.env', '/any/where/.env', true],
  ['../*/a', '/other/a', true],
  ['src/*', '/project/SRC/a', false],
  ['a\\b', '/project/a/b', false],
])('%s covers %s: %s', (pattern, file, expected) => {
  expect(covers(pattern, file)).toBe(expected);
});

test('special characters in the directory itself mean nothing', () => {
  const at = { ...place, cwd: '/a[b]/{c}' };
  expect(covers('*.ts', '/a[b]/{c}/x.ts', at)).toBe(true);
  expect(covers('*.ts', '/ab/{c}/x.ts', at)).toBe(false);
});

test('on macOS names in other cases are the same file, with accents composed or decomposed', () => {
  const at: PathPlace = { ...place, platform: 'darwin' };
  expect(covers('Secret', '/project/secret/A', at)).toBe(true);
  expect(covers('*.KEY', '/Project/a.key', at)).toBe(true);
  expect(covers('caf\u00e9', '/project/cafe\u0301', at)).toBe(true);
});

test('on Windows both separators are one, and the case does not count', () => {
  const at: PathPlace = { cwd: 'C:\\Project', home: 'C:\\Users\\me', platform: 'win32' };
  expect(covers('src\\*.ts', 'c:\\project\\SRC\\a.ts', at)).toBe(true);
  expect(covers('src/**', 'C:\\Project\\src\\a\\b', at)).toBe(true);
  expect(covers('D:\\secret', 'd:\\Secret\\a', at)).toBe(true);
  expect(covers('~/keys', 'C:\\Users\\me\\keys\\a', at)).toBe(true);
});

test('what cannot be judged is neither covered nor not', () => {
  expect(covers('src/[a', '/project/src/a')).toBeUndefined();
  expect(covers('src', `/project/src/${'a'.repeat(40_000)}`)).toBeUndefined();
  expect(globFault('src/[a')).toBe('a "[" is not closed');
  expect(globFault('src/[a]')).toBeUndefined();
});

test('an escaped path is that path alone', () => {
  expect(covers(escapePath('app/[id]/*'), '/project/app/[id]/*')).toBe(true);
  expect(covers(escapePath('app/[id]/*'), '/project/app/i/x')).toBe(false);
});

test('with what is below, a folder that a glob matches covers all in it', () => {
  expect(matchesPath('**/secret', '/project/a/secret/b', 'with-below', place)).toBe(true);
  expect(matchesPath('**/secret', '/project/a/secret/b', 'exact', place)).toBe(false);
});
