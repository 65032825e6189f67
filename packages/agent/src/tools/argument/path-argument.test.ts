import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { createNodeEnvironment } from '../../node/environment.ts';
import { toPathArgument } from './path-argument.ts';

const workplace = {
  cwd: '/work',
  environment: {
    ...createNodeEnvironment(),
    toAbsolutePath: (base: string, path: string) => posix.resolve(base, path),
  },
};

test.each([
  ['src/a.ts', '/work/src/a.ts', 'src/a.ts'],
  ['./a.ts', '/work/a.ts', 'a.ts'],
  ['/work/src/a.ts', '/work/src/a.ts', 'src/a.ts'],
  ['.', '/work', '.'],
  ['..', '/', '/'],
  ['/workshop/a', '/workshop/a', '/workshop/a'],
  ['file:///work/with%20space.md#L10', '/work/with space.md', 'with space.md'],
  ['file:///work/%', '/work/file:/work/%', 'file:/work/%'],
])('%s is %s, shown as %s', (given, path, shown) => {
  expect(toPathArgument(given, workplace)).toEqual({ path, shown });
});
