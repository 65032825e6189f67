import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { replaceFile } from './replace-file.ts';

test('a file that is not there yet is created', async () => {
  await using directory = await temporaryDirectory();
  const file = path.join(directory.path, 'state.json');

  await replaceFile(file, 'new');

  expect(await readFile(file, 'utf8')).toBe('new');
  expect(await readdir(directory.path)).toEqual(['state.json']);
});

test('a reader that has the old file open still reads the old text', async () => {
  await using directory = await temporaryDirectory();
  const file = path.join(directory.path, 'state.json');
  await writeFile(file, 'old');
  const before = await stat(file);

  await replaceFile(file, 'new');

  expect((await stat(file)).ino).not.toBe(before.ino);
  expect(await readFile(file, 'utf8')).toBe('new');
});

test.skipIf(process.platform === 'win32')(
  'only its owner may read it, also where others could before',
  async () => {
    await using directory = await temporaryDirectory();
    const file = path.join(directory.path, 'state.json');
    await writeFile(file, 'old');
    await chmod(file, 0o644);

    await replaceFile(file, 'new');

    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);

test.skipIf(process.platform === 'win32')('a mode is set regardless of the umask', async () => {
  await using directory = await temporaryDirectory();
  const file = path.join(directory.path, 'state.json');

  await replaceFile(file, 'new', { mode: 0o666, durability: 'fast' });

  expect((await stat(file)).mode & 0o777).toBe(0o666);
  expect(await readFile(file, 'utf8')).toBe('new');
});

test('a failure leaves what was there, and nothing beside it', async () => {
  await using directory = await temporaryDirectory();
  const file = path.join(directory.path, 'taken');
  await mkdir(path.join(file, 'inside'), { recursive: true });

  await expect(replaceFile(file, 'new')).rejects.toMatchObject({ syscall: 'rename' });

  expect(await readdir(directory.path)).toEqual(['taken']);
});

test('a missing folder is not created', async () => {
  await using directory = await temporaryDirectory();

  await expect(replaceFile(path.join(directory.path, 'none', 'state.json'), 'new')).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
