import {
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../process/run-command.ts';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openFiles } from './files.ts';
import { openFilesBy, reaches } from './reach.fixture.ts';
import { unprivileged } from './unprivileged.fixture.ts';

const isPosix = process.platform !== 'win32';

describe.each(reaches)('writing by %s', (reach) => {
  test('creates a file and the directories to it', async () => {
    await using directory = await temporaryDirectory();
    const files = await openFilesBy(reach, directory.path);
    const path = directory.at('a', 'b', 'file');
    expect(await files.writeText('a/b/file', 'text €')).toEqual({ path, oldText: null });
    expect(await readFile(path, 'utf8')).toBe('text €');
    expect(await readdir(directory.at('a', 'b'))).toEqual(['file']);
  });

  test('replaces a text and returns the old one', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('file'), 'old\n');
    const files = await openFilesBy(reach, directory.path);
    expect(await files.writeText('file', '')).toEqual({ path: directory.at('file'), oldText: 'old\n' });
    expect(await files.writeText('file', 'new')).toEqual({ path: directory.at('file'), oldText: '' });
    expect(await readFile(directory.at('file'), 'utf8')).toBe('new');
    expect(await readdir(directory.path)).toEqual(['file']);
  });

  test('follows a link to its target, also to a missing one', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('sub'));
    await writeFile(directory.at('sub', 'file'), 'old');
    await symlink('sub/file', directory.at('link'));
    await symlink('sub/new/file', directory.at('dangling'));
    const files = await openFilesBy(reach, directory.path);
    const path = directory.at('sub', 'file');
    expect(await files.writeText('link', 'new')).toEqual({ path, oldText: 'old' });
    expect(await readlink(directory.at('link'))).toBe('sub/file');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await files.writeText('dangling', 'made')).toEqual({
      path: directory.at('sub', 'new', 'file'),
      oldText: null,
    });
    expect(await readFile(directory.at('dangling'), 'utf8')).toBe('made');
  });

  test.runIf(isPosix)('keeps permissions, and gives a new file the usual ones', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('script'), '');
    await chmod(directory.at('script'), 0o751);
    const files = await openFilesBy(reach, directory.path);
    await files.writeText('script', 'new');
    await files.writeText('plain', 'new');
    await writeFile(directory.at('usual'), '');
    expect((await stat(directory.at('script'))).mode & 0o777).toBe(0o751);
    expect((await stat(directory.at('plain'))).mode).toBe((await stat(directory.at('usual'))).mode);
  });

  test.runIf(isPosix && process.getuid?.() === 0)('keeps the owner where it can', async () => {
    await using directory = await temporaryDirectory();
    await chmod(directory.path, 0o777);
    const files = await openFilesBy(reach, directory.path);
    await unprivileged(() => writeFile(directory.at('file'), 'old'));
    await files.writeText('file', 'new');
    expect((await stat(directory.at('file'))).uid).toBe(65_534);
  });
});

test.each([
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x61], [0xef, 0xbb, 0xbf, 0xe2, 0x82, 0xac]],
  ['UTF-16, little end first', [0xff, 0xfe, 0x61, 0x00], [0xff, 0xfe, 0xac, 0x20]],
  ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0x61], [0xfe, 0xff, 0x20, 0xac]],
  ['UTF-8', [0x61], [0xe2, 0x82, 0xac]],
])('a file in %s stays so', async (_, before, after) => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), Uint8Array.from(before));
  const files = await openFiles({ cwd: directory.path });
  expect(await files.writeText('file', '€')).toMatchObject({ oldText: 'a' });
  expect([...(await readFile(directory.at('file')))]).toEqual(after);
});

test('the mark is not doubled when the new text brings one', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), '\uFEFFold');
  const files = await openFiles({ cwd: directory.path });
  await files.writeText('file', '\uFEFFnew');
  expect(await readFile(directory.at('file'), 'utf8')).toBe('\uFEFFnew');
});

test('an old content that is not text, or too large for a diff, is left out and called so', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('binary'), Uint8Array.of(0, 1, 2));
  await writeFile(directory.at('large'), 'x'.repeat(10 * 1024 * 1024 + 1));
  await writeFile(directory.at('largest'), 'x'.repeat(10 * 1024 * 1024));
  const files = await openFiles({ cwd: directory.path });
  expect(await files.writeText('binary', 'a')).toMatchObject({ oldText: null, oldTextOmitted: 'binary' });
  expect(await files.writeText('large', 'a')).toMatchObject({ oldText: null, oldTextOmitted: 'too-large' });
  const { oldText, oldTextOmitted } = await files.writeText('largest', 'a');
  expect([oldText?.length, oldTextOmitted]).toEqual([10 * 1024 * 1024, undefined]);
  expect(await readFile(directory.at('binary'), 'utf8')).toBe('a');
});

test('a reader sees the old text or the new one, never a part', async () => {
  await using directory = await temporaryDirectory();
  const files = await openFiles({ cwd: directory.path });
  const texts = ['a', 'b'].map((letter) => letter.repeat(300_000));
  await files.writeText('file', texts[0] ?? '');
  const written = new AbortController();
  const writing = (async () => {
    for (let round = 1; round < 60; round++) await files.writeText('file', texts[round % 2] ?? '');
    written.abort();
  })();
  while (!written.signal.aborted) expect(texts).toContain(await readFile(directory.at('file'), 'utf8'));
  await writing;
});

test('a second hard link keeps the old text', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('file'), 'old');
  await link(directory.at('file'), directory.at('other'));
  const files = await openFiles({ cwd: directory.path });
  await files.writeText('file', 'new');
  expect(await readFile(directory.at('other'), 'utf8')).toBe('old');
});

test.runIf(isPosix)('a file marked read-only is not replaced', async () => {
  await using directory = await temporaryDirectory();
  await chmod(directory.path, 0o777);
  await writeFile(directory.at('file'), 'old');
  await chmod(directory.at('file'), 0o444);
  const files = await openFiles({ cwd: directory.path });
  await unprivileged(async () => {
    await expect(files.writeText('file', 'new')).rejects.toMatchObject({ code: 'denied' });
  });
  expect(await readFile(directory.at('file'), 'utf8')).toBe('old');
  expect(await readdir(directory.path)).toEqual(['file']);
});

test.runIf(isPosix)('where nothing may be created, nothing is', async () => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('closed'));
  await chmod(directory.path, 0o777);
  await chmod(directory.at('closed'), 0o555);
  const files = await openFiles({ cwd: directory.path });
  await unprivileged(async () => {
    await expect(files.writeText('closed/file', 'x')).rejects.toMatchObject({ code: 'denied' });
    await expect(files.writeText('closed/a/b', 'x')).rejects.toMatchObject({ code: 'denied' });
  });
  expect(await readdir(directory.at('closed'))).toEqual([]);
});

/** A file system of 64 KiB, where an administrator may make one. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(canMount)(
  'a full disk is reported as such, leaves the old text and no temporary file',
  async (context) => {
    await using directory = await temporaryDirectory();
    const mount = 'mount -t tmpfs -o size=64k tmpfs .';
    const { status } = await runCommand({ command: mount, shell: true, cwd: directory.path });
    if (status.exitCode !== 0) context.skip('this system does not allow mounting');
    try {
      const files = await openFiles({ cwd: directory.path });
      await files.writeText('file', 'old');
      const writing = files.writeText('file', 'x'.repeat(100_000));
      await expect(writing).rejects.toMatchObject({ code: 'no-space', path: 'file' });
      expect(await readFile(directory.at('file'), 'utf8')).toBe('old');
      expect(await readdir(directory.path)).toEqual(['file']);
    } finally {
      await runCommand({ command: 'umount', args: [directory.path], cwd: '/' });
    }
  },
);

test('a file that has become a link since it was found is not followed', async () => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('root'));
  await writeFile(directory.at('outside'), 'secret');
  await symlink('../outside', directory.at('root', 'link'));
  const files = await openFiles({ cwd: directory.at('root') });
  await expect(files.writeText('link', 'x')).rejects.toMatchObject({ code: 'outside' });
  expect((await lstat(directory.at('root', 'link'))).isSymbolicLink()).toBe(true);
  expect(await readFile(directory.at('outside'), 'utf8')).toBe('secret');
});
