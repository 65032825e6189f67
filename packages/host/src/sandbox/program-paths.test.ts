import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programPaths } from './program-paths.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-program-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function write(file: string): Promise<string> {
  const full = path.join(folder, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, '');
  return full;
}

const pathsOf = (command: string, ...args: string[]): Promise<readonly string[]> =>
  programPaths({ command, args, cwd: folder, env: {} });

test('a script brings its package, and other files of the command line only themselves', async () => {
  const script = await write('agent/bin/main.mjs');
  await write('agent/package.json');
  const settings = await write('settings/agent.json');
  const found = await pathsOf(process.execPath, script, '--settings', settings, 'prompt');
  expect(found).toContain(path.join(folder, 'agent'));
  expect(found).toContain(settings);
  expect(found).not.toContain(path.join(folder, 'settings'));
});

test('a workspace package brings the installed packages of its workspace', async () => {
  const script = await write('clone/packages/tool/bin/main.mjs');
  await write('clone/packages/tool/package.json');
  await write('clone/node_modules/library/main.js');
  await write('clone/secret.txt');

  const found = await pathsOf(process.execPath, script);

  expect(found).toContain(path.join(folder, 'clone/packages/tool'));
  expect(found).toContain(path.join(folder, 'clone/node_modules'));
  expect(found).not.toContain(path.join(folder, 'clone'));
});

test('a program in node_modules brings all installed packages', async () => {
  const script = await write('packages/tool/node_modules/tool/main.js');
  expect(await pathsOf(process.execPath, script)).toContain(path.join(folder, 'packages/tool/node_modules'));
});

test('a program is found on PATH, and a script without a package brings its folder', async () => {
  const program = await write('bin/agent');
  await chmod(program, 0o755);
  const found = await programPaths({
    command: 'agent',
    args: [],
    cwd: folder,
    env: { PATH: path.dirname(program) },
  });
  expect(found).toEqual([program, path.dirname(program)]);
});

test('folders shared by all programs are never used', async () => {
  const script = path.join(tmpdir(), `parley-program-${String(process.pid)}.mjs`);
  await writeFile(script, '');
  try {
    const found = await pathsOf(process.execPath, script);
    expect(found).toContain(script);
    expect(found).not.toContain(tmpdir());
  } finally {
    await rm(script);
  }
});
