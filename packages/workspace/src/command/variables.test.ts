import { expect, test } from 'vitest';
import { variablesAreHarmless } from './variables.ts';

test.each([
  [[], true],
  [['NO_COLOR', 'LC_ALL', 'TERM'], true],
  [['PATH'], false],
  [['LD_PRELOAD'], false],
  [['GIT_CONFIG_COUNT'], false],
  [['NODE_OPTIONS'], false],
  [['NO_COLOR', 'PAGER'], false],
  [['SOMETHING_NEW'], false],
])('%j leave a command as it is: %s', (names, expected) => {
  expect(variablesAreHarmless(names)).toBe(expected);
});
