import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { isSystemShell } from './system-shell.ts';

describe.skipIf(process.platform === 'win32')('on POSIX', () => {
  test('the shell in /bin is a shell of the system', () => {
    expect(isSystemShell('/bin/sh')).toBe(true);
  });

  test.each(['sh', 'bin/sh', '/bin/../bin/sh', '/usr/bin/env', '/bin/no-such-shell', '/no/such/folder/sh'])(
    '%j is no shell of the system',
    (program) => {
      expect(isSystemShell(program)).toBe(false);
    },
  );

  test('a copy of the shell in another folder is an unknown program', async () => {
    await using directory = await temporaryDirectory();
    await copyFile('/bin/sh', directory.at('sh'));
    await chmod(directory.at('sh'), 0o755);
    expect(isSystemShell(directory.at('sh'))).toBe(false);
  });

  test('a listed shell in a folder that others may write to is an unknown program', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('open'));
    await chmod(directory.at('open'), 0o777);
    await copyFile('/bin/sh', directory.at('open', 'sh'));
    await chmod(directory.at('open', 'sh'), 0o755);
    await writeFile(directory.at('shells'), `${directory.at('open', 'sh')}\n`);
    expect(isSystemShell(directory.at('open', 'sh'), { shellsFile: directory.at('shells') })).toBe(false);
  });
});

test.each([
  [String.raw`C:\Windows\System32\cmd.exe`, true],
  [String.raw`C:\Program Files\Git\bin\bash.exe`, true],
  [String.raw`C:\work\cmd.exe`, false],
  [String.raw`C:\Windows\System32\..\..\work\cmd.exe`, false],
])('on Windows %j is a shell of the system: %j', (program, isShell) => {
  expect(isSystemShell(program, { platform: 'win32' })).toBe(isShell);
});
