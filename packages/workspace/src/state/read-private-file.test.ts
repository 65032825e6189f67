import { execFile } from 'node:child_process';
import { chmod, chown, symlink, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { readPrivateFile } from './read-private-file.ts';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;
const bounds = { maxBytes: 100 };

test.skipIf(isWindows)('a file of mode 600 is read', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('private');
  await writeFile(file, 'text', { mode: 0o600 });

  expect(await readPrivateFile(file, bounds)).toBe('text');
});

test.skipIf(isWindows).each([0o666, 0o644, 0o620, 0o604])(
  'a file of mode %o is refused, and the error says what to do',
  async (mode) => {
    await using directory = await temporaryDirectory();
    const file = directory.at('private');
    await writeFile(file, 'text');
    await chmod(file, mode);

    await expect(readPrivateFile(file, bounds)).rejects.toMatchObject({
      code: 'insecure',
      message: expect.stringMatching(new RegExp(`mode ${mode.toString(8)}.*chmod 600`, 'u')) as string,
    });
  },
);

test.skipIf(isWindows)('a link is refused, even to a private file', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('target'), 'text', { mode: 0o600 });
  await symlink('target', directory.at('link'));

  await expect(readPrivateFile(directory.at('link'), bounds)).rejects.toMatchObject({
    code: 'insecure',
    message: expect.stringContaining('it is a link') as string,
  });
});

test.skipIf(!isRoot)('a file of another user is refused, and the error names the user', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('private');
  await writeFile(file, 'text', { mode: 0o600 });
  await chown(file, 12_345, 12_345);

  await expect(readPrivateFile(file, bounds)).rejects.toMatchObject({
    code: 'insecure',
    message: expect.stringContaining('uid 12345') as string,
  });
});

test.skipIf(isWindows)('a FIFO, a directory and a large file are refused without a wait', async () => {
  await using directory = await temporaryDirectory();
  await promisify(execFile)('mkfifo', ['-m', '600', directory.at('fifo')]);
  await writeFile(directory.at('large'), 'x'.repeat(101), { mode: 0o600 });

  await expect(readPrivateFile(directory.at('fifo'), bounds)).rejects.toMatchObject({ code: 'not-a-file' });
  await expect(readPrivateFile(directory.path, bounds)).rejects.toMatchObject({ code: 'not-a-file' });
  await expect(readPrivateFile(directory.at('large'), bounds)).rejects.toMatchObject({ code: 'too-large' });
});

test('a missing file is not-found', async () => {
  await using directory = await temporaryDirectory();

  await expect(readPrivateFile(directory.at('nothing'), bounds)).rejects.toMatchObject({ code: 'not-found' });
});
