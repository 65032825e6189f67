import { expect, test } from 'vitest';
import { isSystemShell } from './system-shell.ts';

test.each([
  ['/bin/sh', true],
  ['/usr/bin/bash', true],
  ['/usr/local/bin/zsh', true],
  ['/project/tools/sh', false],
  ['/home/ada/bin/bash', false],
  ['/bin/git', false],
  ['sh', false],
])('%s is a shell of the system: %s', (program, expected) => {
  expect(isSystemShell(program)).toBe(expected);
});
