import { expect, test } from 'vitest';
import { isAbsolutePath } from './absolute-path.ts';

test.each(['/', '/a', 'C:\\', 'C:\\a', 'd:/a', '\\\\server\\share\\a'])('%s is absolute', (path) => {
  expect(isAbsolutePath(path)).toBe(true);
});

test.each(['', 'a', './a', '../a', '~', '~/a', 'C:', 'C:a', '\\a', 'file:///a'])(
  '%j is not absolute',
  (path) => {
    expect(isAbsolutePath(path)).toBe(false);
  },
);
