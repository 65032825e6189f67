import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openFiles } from './files.ts';

test('a file with any content is read whole', async () => {
  await using directory = await temporaryDirectory();
  const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => (index * 7) % 256);
  await writeFile(path.join(directory.path, 'a.bin'), bytes);
  const files = await openFiles({ cwd: directory.path });
  const read = await files.readBase64('a.bin');
  expect(read.bytes).toBe(bytes.length);
  expect(read.path).toBe(path.join(files.cwd, 'a.bin'));
  expect(Buffer.from(read.base64, 'base64').equals(bytes)).toBe(true);
});

test('a file of no bytes is nothing', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(path.join(directory.path, 'empty'), '');
  const files = await openFiles({ cwd: directory.path });
  expect(await files.readBase64('empty')).toMatchObject({ bytes: 0, base64: '' });
});

test('too large a file, a directory, a missing one and one outside are refused', async () => {
  await using directory = await temporaryDirectory();
  await using elsewhere = await temporaryDirectory();
  await writeFile(path.join(directory.path, 'a.bin'), 'abcd');
  await writeFile(path.join(elsewhere.path, 'secret'), 'x');
  await symlink(path.join(elsewhere.path, 'secret'), path.join(directory.path, 'link'));
  const files = await openFiles({ cwd: directory.path });
  await expect(files.readBase64('a.bin', { maxBytes: 3 })).rejects.toMatchObject({ code: 'too-large' });
  await expect(files.readBase64('a.bin', { maxBytes: 4 })).resolves.toMatchObject({ bytes: 4 });
  await expect(files.readBase64('.')).rejects.toMatchObject({ code: 'is-a-directory' });
  await expect(files.readBase64('b.bin')).rejects.toMatchObject({ code: 'not-found' });
  await expect(files.readBase64('link')).rejects.toMatchObject({ code: 'outside' });
  await expect(files.readBase64('a.bin', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'aborted',
  });
});
