import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readNamedFile } from './read-named-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-named-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const isWindows = process.platform === 'win32';
const maxBytes = 1000;
const at = (name: string): string => path.join(folder, name);

test('a regular file is read whole, up to the limit and no further', async () => {
  await writeFile(at('a'), 'x'.repeat(maxBytes));
  expect((await readNamedFile(at('a'), { maxBytes })).toString()).toBe('x'.repeat(maxBytes));
  await writeFile(at('a'), 'x'.repeat(maxBytes + 1));
  await expect(readNamedFile(at('a'), { maxBytes })).rejects.toMatchObject({ code: 'too-large' });
});

test('a file of many gigabytes is refused without being read into memory', async () => {
  await writeFile(at('a'), '');
  await truncate(at('a'), 64 * 1024 ** 3);
  await expect(readNamedFile(at('a'), { maxBytes })).rejects.toMatchObject({ code: 'too-large' });
});

test.skipIf(isWindows)('a FIFO without a writer is refused and not waited for', async () => {
  execFileSync('mkfifo', [at('fifo')]);
  await expect(readNamedFile(at('fifo'), { maxBytes })).rejects.toMatchObject({ code: 'not-a-file' });
});

test.skipIf(isWindows)('an endless device is refused', async () => {
  await expect(readNamedFile('/dev/zero', { maxBytes })).rejects.toMatchObject({ code: 'not-a-file' });
});

test('a folder and a missing file are named as what they are', async () => {
  await mkdir(at('folder'));
  await expect(readNamedFile(at('folder'), { maxBytes })).rejects.toMatchObject({ code: 'is-a-directory' });
  await expect(readNamedFile(at('none'), { maxBytes })).rejects.toMatchObject({ code: 'not-found' });
});

test('an aborted read rejects', async () => {
  await writeFile(at('a'), 'x');
  await expect(readNamedFile(at('a'), { maxBytes, signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'aborted',
  });
});
