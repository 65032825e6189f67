import { mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openFiles } from './files.ts';
import { openFilesBy, reaches } from './reach.fixture.ts';

describe.each(reaches)('moving by %s', (reach) => {
  test('gives a file another name, and makes the directories to it', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('file'), 'text');
    const files = await openFilesBy(reach, directory.path);
    const to = directory.at('a', 'b', 'new');
    expect(await files.move('file', 'a/b/new')).toEqual({ from: directory.at('file'), to });
    expect(await readFile(to, 'utf8')).toBe('text');
    expect(await readdir(directory.path)).toEqual(['a']);
  });

  test('moves a directory with all that is in it, from one root to another', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('first', 'sub'), { recursive: true });
    await mkdir(directory.at('second'));
    await writeFile(directory.at('first', 'sub', 'file'), 'text');
    const files = await openFilesBy(reach, directory.at('first'), [directory.at('second')]);
    await files.move('sub', directory.at('second', 'moved'));
    expect(await readFile(directory.at('second', 'moved', 'file'), 'utf8')).toBe('text');
    expect(await readdir(directory.at('first'))).toEqual([]);
  });

  test('moves a link as a link', async () => {
    await using directory = await temporaryDirectory();
    await symlink('/nowhere', directory.at('link'));
    const files = await openFilesBy(reach, directory.path);
    await files.move('link', 'renamed');
    expect(await readlink(directory.at('renamed'))).toBe('/nowhere');
    expect(await readdir(directory.path)).toEqual(['renamed']);
  });

  test('replaces nothing: no file, no directory, no link, not itself', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('file'), 'moved');
    await writeFile(directory.at('taken'), 'kept');
    await mkdir(directory.at('directory'));
    await mkdir(directory.at('other'));
    await symlink('/nowhere', directory.at('link'));
    const before = await readdir(directory.path);
    const files = await openFilesBy(reach, directory.path);
    for (const to of ['taken', 'directory', 'link', 'file']) {
      await expect(files.move('file', to)).rejects.toMatchObject({ code: 'exists', path: to });
    }
    await expect(files.move('directory', 'other')).rejects.toMatchObject({ code: 'exists', path: 'other' });
    expect(await readdir(directory.path)).toEqual(before);
    expect(await readFile(directory.at('taken'), 'utf8')).toBe('kept');
  });

  test('moves no directory into itself, and nothing that is not there', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('directory'));
    await symlink('directory', directory.at('link'));
    const files = await openFilesBy(reach, directory.path);
    for (const to of ['directory/below', 'directory/far/below', 'link/below']) {
      await expect(files.move('directory', to)).rejects.toMatchObject({ code: 'invalid-path' });
    }
    await expect(files.move('missing', 'new/place')).rejects.toMatchObject({ code: 'not-found' });
    await expect(files.move('missing/file', 'new')).rejects.toMatchObject({ code: 'not-found' });
    expect(await readdir(directory.at('directory'))).toEqual([]);
    expect(await readdir(directory.path)).toEqual(['directory', 'link']);
  });
});

test.runIf(process.platform === 'linux')(
  'a move that the system refuses leaves no trace',
  async (context) => {
    await using directory = await temporaryDirectory();
    const shared = '/dev/shm';
    const devices = await Promise.all([directory.path, shared].map(async (place) => (await stat(place)).dev));
    if (devices[0] === devices[1]) context.skip('both places are on one file system');
    await writeFile(directory.at('file'), 'text');
    const files = await openFiles({ cwd: directory.path, directories: [shared] });
    const to = `${shared}/parley-workspace-${process.pid}`;
    await expect(files.move('file', to)).rejects.toMatchObject({ code: 'failed' });
    expect(await readdir(directory.path)).toEqual(['file']);
    expect(await readdir(shared)).not.toContain(`parley-workspace-${process.pid}`);
  },
);
