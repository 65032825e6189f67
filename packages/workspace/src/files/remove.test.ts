import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openFilesBy, reaches } from './reach.fixture.ts';

describe.each(reaches)('removing by %s', (reach) => {
  test('takes a file away and returns its text', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('sub'));
    await writeFile(directory.at('sub', 'file'), 'old');
    await writeFile(directory.at('sub', 'binary'), Uint8Array.of(0));
    const files = await openFilesBy(reach, directory.path);
    const path = directory.at('sub', 'file');
    expect(await files.remove('sub/file')).toEqual({ path, kind: 'file', oldText: 'old' });
    expect(await files.remove('sub/binary')).toMatchObject({ oldText: null, oldTextOmitted: 'binary' });
    expect(await readdir(directory.at('sub'))).toEqual([]);
    await expect(files.remove('sub/file')).rejects.toMatchObject({ code: 'not-found' });
    await expect(files.remove('missing/file')).rejects.toMatchObject({ code: 'not-found' });
  });

  test('takes a link away, not what it links to', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('root'));
    await writeFile(directory.at('outside'), 'kept');
    await symlink('../outside', directory.at('root', 'link'));
    await symlink('.', directory.at('root', 'here'));
    const files = await openFilesBy(reach, directory.at('root'));
    const path = directory.at('root', 'link');
    expect(await files.remove('here/link')).toEqual({ path, kind: 'link', oldText: null });
    expect(await files.remove('here')).toMatchObject({ kind: 'link' });
    expect(await readdir(directory.at('root'))).toEqual([]);
    expect(await readFile(directory.at('outside'), 'utf8')).toBe('kept');
  });

  test('takes an empty directory away, and no other', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('full', 'empty'), { recursive: true });
    const files = await openFilesBy(reach, directory.path);
    await expect(files.remove('full')).rejects.toMatchObject({ code: 'not-empty' });
    expect(await files.remove('full/empty')).toMatchObject({ kind: 'directory', oldText: null });
    expect(await files.remove('full/')).toMatchObject({ kind: 'directory' });
    expect(await readdir(directory.path)).toEqual([]);
  });

  test('removes no root, and nothing that contains one', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('root', 'holds', 'second'), { recursive: true });
    await symlink('.', directory.at('root', 'link'));
    const files = await openFilesBy(reach, directory.at('root'), [directory.at('root', 'holds', 'second')]);
    for (const given of [
      '.',
      directory.at('root'),
      'holds',
      'holds/second',
      '..',
      'link/holds/second',
      '/',
    ]) {
      await expect(files.remove(given), given).rejects.toMatchObject({ code: 'denied' });
      await expect(files.move(given, 'new'), given).rejects.toMatchObject({ code: 'denied' });
    }
    expect(await readdir(directory.at('root', 'holds'))).toEqual(['second']);
  });
});
