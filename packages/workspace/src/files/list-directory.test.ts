import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openFiles } from './files.ts';
import { openFilesBy, reaches } from './reach.fixture.ts';

describe.each(reaches)('listing by %s', (reach) => {
  test('names what is there, in the order of its characters, and follows no link', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('sub'));
    await writeFile(directory.at('sub', 'b'), '12345');
    await writeFile(directory.at('sub', 'B'), '');
    await mkdir(directory.at('sub', 'a'));
    await symlink('/', directory.at('sub', 'link'));
    await writeFile(directory.at('sub', '.hidden'), '');
    const files = await openFilesBy(reach, directory.path);
    expect(await files.list('sub')).toEqual({
      path: directory.at('sub'),
      entries: [
        { name: '.hidden', kind: 'file', bytes: 0 },
        { name: 'B', kind: 'file', bytes: 0 },
        { name: 'a', kind: 'directory' },
        { name: 'b', kind: 'file', bytes: 5 },
        { name: 'link', kind: 'link' },
      ],
      hasMore: false,
    });
  });

  test('an empty directory has no entries; a file and what is missing are no directories', async () => {
    await using directory = await temporaryDirectory();
    const files = await openFilesBy(reach, directory.path);
    expect(await files.list('.')).toMatchObject({ entries: [], hasMore: false });
    await writeFile(directory.at('file'), '');
    await expect(files.list('file')).rejects.toMatchObject({ code: 'not-a-directory' });
    await expect(files.list('missing')).rejects.toMatchObject({ code: 'not-found' });
  });
});

test('a limit gives the first names, and says that there are more', async () => {
  await using directory = await temporaryDirectory();
  const names = Array.from({ length: 400 }, (_, index) => `file-${String(index).padStart(3, '0')}`);
  await Promise.all(names.map((name) => writeFile(directory.at(name), '')));
  const files = await openFiles({ cwd: directory.path });
  for (const limit of [-1, 0, 1, 7, 399, 400, 401]) {
    const { entries, hasMore } = await files.list('.', { limit });
    expect(entries.map((entry) => entry.name)).toEqual(names.slice(0, Math.max(0, limit)));
    expect(hasMore).toBe(limit < 400);
  }
});
