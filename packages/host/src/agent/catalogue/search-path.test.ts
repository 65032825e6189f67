import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchPath } from './search-path.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-path-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const isWindows = process.platform === 'win32';
const join = (...folders: readonly string[]): string => folders.join(path.delimiter);

async function leftOut(
  entries: readonly string[],
  ...folders: readonly string[]
): Promise<readonly string[]> {
  const search = await searchPath({ PATH: join(...entries) }, folders);
  const kept = entries.filter((entry) => entry !== '' && !search.leftOut.includes(entry));
  expect(search.env['PATH']).toBe(join(...kept));
  return search.leftOut;
}

test('folders of the project, relative folders, and node_modules/.bin of parent folders are skipped', async () => {
  const project = path.join(folder, 'above', 'project');
  const session = path.join(project, 'packages', 'a');
  await mkdir(session, { recursive: true });
  await mkdir(path.join(project, '.git'));
  const projects = [
    path.join(session, 'tools'),
    path.join(project, '.venv', 'bin'),
    project,
    path.join(folder, 'above', 'node_modules', '.bin'),
    `${path.join(folder, 'node_modules', '.bin')}${path.sep}`,
    'node_modules/.bin',
    '.',
  ];
  const others = [path.join(folder, 'above', 'project-2', 'bin'), path.join(folder, 'bin'), '/usr/bin'];
  expect(await leftOut([...projects, '', ...others], session)).toEqual(projects);
});

test.skipIf(isWindows)('a link into the project is skipped, wherever it is', async () => {
  const project = path.join(folder, 'project');
  await mkdir(path.join(project, 'bin'), { recursive: true });
  await symlink(path.join(project, 'bin'), path.join(folder, 'link'));
  await symlink(project, path.join(folder, 'named'));
  expect(await leftOut([path.join(folder, 'link'), '/usr/bin'], path.join(folder, 'named'))).toEqual([
    path.join(folder, 'link'),
  ]);
});

test('the home folder is not a project: programs installed in it stay available', async () => {
  const own = path.join(homedir(), '.local', 'bin');
  expect(await leftOut([own, '/usr/bin'], homedir())).toEqual([]);
  expect(await leftOut([own, '/usr/bin'], path.parse(homedir()).root)).toEqual([]);
});
