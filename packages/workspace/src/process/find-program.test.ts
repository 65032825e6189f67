import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { checkProgram, findProgram, safeSearchPath } from './find-program.ts';

const isPosix = process.platform !== 'win32';

async function program(folder: string, name: string, text = '#!/bin/sh\n'): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, name);
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}

test.runIf(isPosix)(
  'a program of the project comes behind all others of its name, and is marked',
  async () => {
    await using directory = await temporaryDirectory();
    const { path: base } = directory;
    const project = path.join(base, 'project');
    const ofProject = await program(path.join(project, 'tools'), 'git');
    const ours = await program(path.join(base, 'bin'), 'git');
    const only = await program(path.join(project, 'tools'), 'eslint');
    const options = {
      cwd: project,
      searchPath: [path.dirname(ofProject), path.dirname(ours), 'tools', ''].join(':'),
      projects: [project],
    };

    expect(await findProgram('git', options)).toMatchObject({ found: ours, isOfProject: false });
    expect(await findProgram('eslint', options)).toMatchObject({ found: only, isOfProject: true });
    expect(await findProgram('./tools/git', options)).toMatchObject({ found: ofProject, isOfProject: false });
    expect(await findProgram('missing', options)).toBeUndefined();
    expect(await safeSearchPath(options.searchPath, [project])).toBe(
      [path.dirname(ours), path.dirname(ofProject)].join(':'),
    );
  },
);

test.runIf(isPosix)('a link in PATH that leads into the project is a folder of the project', async () => {
  await using directory = await temporaryDirectory();
  const { path: base } = directory;
  const project = path.join(base, 'project');
  await program(path.join(project, 'tools'), 'git');
  await symlink(path.join(project, 'tools'), path.join(base, 'bin'));

  const found = await findProgram('git', {
    cwd: project,
    searchPath: path.join(base, 'bin'),
    projects: [project],
  });

  expect(found).toMatchObject({ isOfProject: true, realPath: path.join(project, 'tools', 'git') });
});

test.runIf(isPosix).each<[string, (file: string) => Promise<void>]>([
  ['written to', (file) => writeFile(file, '#!/bin/sh\necho evil\n')],
  [
    'replaced',
    async (file) => {
      await program(path.dirname(file), 'other');
      await rename(path.join(path.dirname(file), 'other'), file);
    },
  ],
  ['removed', (file) => rename(file, `${file}-gone`)],
])('a program that was %s since it was found is not the same', async (_what, change) => {
  await using directory = await temporaryDirectory();
  const { path: folder } = directory;
  const file = await program(folder, 'tool');
  const found = await findProgram('tool', { cwd: folder, searchPath: folder, projects: [] });
  if (found === undefined) throw new Error('not found');

  await checkProgram(found);
  await change(file);

  await expect(checkProgram(found)).rejects.toMatchObject({ code: 'changed' });
});
