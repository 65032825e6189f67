import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TemporaryDirectory, temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { type Files, openFiles } from '../files.ts';
import { openFilesBy, reaches } from '../reach.fixture.ts';

async function write(directory: TemporaryDirectory, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(path.dirname(directory.at(name)), { recursive: true });
    await writeFile(directory.at(name), '');
  }
}

async function namesOf(files: Files, pattern: string, below?: string): Promise<readonly string[]> {
  const { paths } = await files.glob(pattern, below === undefined ? {} : { path: below });
  return paths.map((found) => path.relative(files.cwd, found));
}

describe.each(reaches)('finding files by %s', (reach) => {
  test('gives their real paths, ordered by path', async () => {
    await using directory = await temporaryDirectory();
    await write(directory, ['b/z.ts', 'b/a.ts', 'a.ts', 'c.js', 'b/a.ts.txt']);
    const files = await openFilesBy(reach, directory.path);
    expect(await files.glob('*.ts')).toEqual({
      paths: [directory.at('a.ts'), directory.at('b', 'a.ts'), directory.at('b', 'z.ts')],
      hasMore: false,
    });
    expect(await namesOf(files, '*.ts', 'b')).toEqual(['b/a.ts', 'b/z.ts']);
    expect(await namesOf(files, '*.none')).toEqual([]);
  });

  test('stops at the limit and says that there is more', async () => {
    await using directory = await temporaryDirectory();
    await write(directory, ['1', '2', '3']);
    const files = await openFilesBy(reach, directory.path);
    expect(await files.glob('*', { limit: 2 })).toMatchObject({ hasMore: true });
    expect(await files.glob('*', { limit: 3 })).toMatchObject({ hasMore: false });
    expect(await files.glob('*', { limit: -1 })).toEqual({ paths: [], hasMore: true });
  });
});

test('hidden files are found, what git ignores, git itself and links are not', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, ['.git/config', '.hidden/file', 'ignored/file', 'seen.log', 'outside/x']);
  await write(directory, ['root/.git/config', 'root/.hidden/file', 'root/ignored/file', 'root/seen']);
  await writeFile(directory.at('root', '.gitignore'), 'ignored\n*.log\n');
  await symlink('../outside', directory.at('root', 'directory-link'));
  await symlink('../outside/x', directory.at('root', 'file-link'));
  const files = await openFiles({ cwd: directory.at('root') });
  expect(await namesOf(files, '**')).toEqual(['.gitignore', '.hidden/file', 'seen']);
  expect(await namesOf(files, 'ignored/*')).toEqual([]);
  expect(await namesOf(files, '*', 'ignored')).toEqual(['ignored/file']);
  await expect(files.glob('*', { path: 'directory-link' })).rejects.toMatchObject({ code: 'outside' });
});

test('an empty directory holds nothing; a file and a missing one are refused', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, ['file']);
  await mkdir(directory.at('empty'));
  const files = await openFiles({ cwd: directory.path });
  expect(await namesOf(files, '*', 'empty')).toEqual([]);
  await expect(files.glob('*', { path: 'file' })).rejects.toMatchObject({ code: 'not-a-directory' });
  await expect(files.glob('*', { path: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  await expect(files.glob('../*')).rejects.toMatchObject({ code: 'invalid-pattern' });
  await expect(files.glob('*', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
});

test('names with odd characters are found', async () => {
  await using directory = await temporaryDirectory();
  await write(directory, ['odd\nname', '-e', 'ä 😀']);
  const files = await openFiles({ cwd: directory.path });
  expect(await namesOf(files, '?*')).toEqual(['-e', 'odd\nname', 'ä 😀']);
});
