import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findExecutable } from './find-executable.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-executable-'));
  await mkdir(path.join(folder, 'bin', 'tool-folder'), { recursive: true });
  await writeFile(path.join(folder, 'bin', 'tool'), '', { mode: 0o755 });
  await writeFile(path.join(folder, 'bin', 'text'), '', { mode: 0o644 });
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const find = (command: string): Promise<string | undefined> =>
  findExecutable(command, { cwd: folder, env: { PATH: `/nowhere${path.delimiter}bin` } });

test.skipIf(process.platform === 'win32')('a bare name is looked up in PATH', async () => {
  expect(await find('tool')).toBe(path.join(folder, 'bin', 'tool'));
  expect(await find('none')).toBeUndefined();
});

test.skipIf(process.platform === 'win32')(
  'a path is taken against the folder, and not looked up',
  async () => {
    expect(await find('./bin/tool')).toBe(path.join(folder, 'bin', 'tool'));
    expect(await find('./tool')).toBeUndefined();
  },
);

test.skipIf(process.platform === 'win32')(
  'folders and files that cannot be run are no commands',
  async () => {
    expect(await find('tool-folder')).toBeUndefined();
    expect(await find('text')).toBeUndefined();
  },
);

test.skipIf(process.platform === 'win32')('on Windows a command has one of the known endings', async () => {
  for (const name of ['npx', 'npx.cmd', 'plain', 'node.exe']) {
    await writeFile(path.join(folder, 'bin', name), '', { mode: 0o755 });
  }
  const findThere = (command: string): Promise<string | undefined> =>
    findExecutable(command, {
      cwd: folder,
      env: { Path: 'bin', pathext: '.exe;.cmd' },
      platform: 'win32',
    });
  expect(await findThere('npx')).toBe(path.join(folder, 'bin', 'npx.cmd'));
  expect(await findThere('npx.cmd')).toBe(path.join(folder, 'bin', 'npx.cmd'));
  expect(await findThere('node')).toBe(path.join(folder, 'bin', 'node.exe'));
  expect(await findThere('./bin/node.exe')).toBe(path.join(folder, 'bin', 'node.exe'));
  expect(await findThere('plain')).toBeUndefined();
});
