import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../process/run-command.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openFiles } from './files.ts';

const isPosix = process.platform !== 'win32';

test.each([undefined, 'old', '\uFEFFold', 'a\0binary'])(
  'a file that held %j is written only while it still holds that',
  async (before) => {
    await using directory = await temporaryDirectory();
    const { path: cwd } = directory;
    const files = await openFiles({ cwd });
    const file = path.join(cwd, 'a');
    if (before !== undefined) await writeFile(file, before);
    const seen = await files.see('a');

    await files.writeText('a', 'new', { seen });
    await expect(files.writeText('a', 'newer', { seen })).rejects.toMatchObject({ code: 'changed' });

    expect(await readFile(file, 'utf8')).toContain('new');
    expect(await readFile(file, 'utf8')).not.toContain('newer');
  },
);

test.runIf(isPosix)('a folder that became a link takes no write that was meant for it', async () => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const files = await openFiles({ cwd });
  await mkdir(path.join(cwd, 'src'));
  await mkdir(path.join(cwd, 'other'));
  const seen = await files.see('src/a');
  await rm(path.join(cwd, 'src'), { recursive: true });
  await symlink('other', path.join(cwd, 'src'));

  await expect(files.writeText('src/a', 'new', { seen })).rejects.toMatchObject({ code: 'changed' });
});

test.each(['remove', 'move'] as const)('%s leaves alone what was changed', async (what) => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const files = await openFiles({ cwd });
  await writeFile(path.join(cwd, 'a'), 'old');
  const seen = await files.seeEntry('a');
  await writeFile(path.join(cwd, 'a'), 'changed');

  const done = what === 'remove' ? files.remove('a', { seen }) : files.move('a', 'b', { seen });

  await expect(done).rejects.toMatchObject({ code: 'changed' });
  expect(await readFile(path.join(cwd, 'a'), 'utf8')).toBe('changed');
});

test.runIf(process.platform === 'linux')(
  'a process starts in the folder that is held open, even if its path has changed',
  async () => {
    await using directory = await temporaryDirectory();
    const { path: cwd } = directory;
    const files = await openFiles({ cwd });
    await mkdir(path.join(cwd, 'src'));
    await using folder = await files.hold('src');
    await rename(path.join(cwd, 'src'), path.join(cwd, 'moved'));
    await mkdir(path.join(cwd, 'src'));

    const { output } = await runCommand({
      command: 'pwd',
      shell: true,
      cwd: folder.path,
      reach: folder.reach,
    });

    expect(output).toBe(`${path.join(cwd, 'moved')}\n`);
    await expect(folder.check()).rejects.toMatchObject({ code: 'changed' });
  },
);

test.runIf(isPosix)('a folder outside, and what is none, is not held', async () => {
  await using directory = await temporaryDirectory();
  const { path: cwd } = directory;
  const files = await openFiles({ cwd });
  await writeFile(path.join(cwd, 'a'), '');

  await expect(files.hold('/')).rejects.toMatchObject({ code: 'outside' });
  await expect(files.hold('a')).rejects.toMatchObject({ code: 'not-a-directory' });
});
