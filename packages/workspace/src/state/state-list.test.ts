import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { stateList } from './state-list.ts';

const parseText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

test('a list that is not there yet is empty, and is there after the first change, for its owner alone', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('deep', 'list.json');
  const list = stateList(file, parseText);

  expect(await list.read()).toEqual([]);
  expect(await list.change((entries) => [...entries, 'a'])).toEqual(['a']);

  expect(await stateList(file, parseText).read()).toEqual(['a']);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 1, entries: ['a'] });
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory.at('deep'))).toEqual(['list.json']);
});

test('concurrent changes are all stored', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('list.json');
  const names = Array.from({ length: 12 }, (_, index) => String(index));

  await Promise.all(names.map((name) => stateList(file, parseText).change((entries) => [...entries, name])));

  expect((await stateList(file, parseText).read()).toSorted()).toEqual(names.toSorted());
});

test.each([
  ['{"version": 1, "entr', 'damaged'],
  ['[]', 'damaged'],
  ['{"version": 1, "entries": {}}', 'damaged'],
  ['{"version": 1, "entries": ["a", 5]}', 'damaged'],
  ['{"version": 2, "entries": []}', 'unsupported'],
])('%s is refused, and not written over', async (text, code) => {
  await using directory = await temporaryDirectory();
  const file = directory.at('list.json');
  await writeFile(file, text);
  const list = stateList(file, parseText);

  await expect(list.read()).rejects.toMatchObject({ code });
  await expect(list.change(() => [])).rejects.toMatchObject({ code });

  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a list that reads over unknown entries has the others, and writes them alone', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('list.json');
  await writeFile(file, '{"version": 1, "entries": ["a", 5, {"kind": "new"}, "b"]}');
  const list = stateList(file, parseText, { skipsUnknown: true });

  expect(await list.read()).toEqual(['a', 'b']);
  expect(await list.change((entries) => [...entries, 'c'])).toEqual(['a', 'b', 'c']);

  expect(await stateList(file, parseText).read()).toEqual(['a', 'b', 'c']);
});

test('a change that fails leaves the list and releases it', async () => {
  await using directory = await temporaryDirectory();
  const list = stateList(directory.at('list.json'), parseText);
  await list.change(() => ['a']);
  const failure = new Error('no');

  await expect(
    list.change(() => {
      throw failure;
    }),
  ).rejects.toBe(failure);

  expect(await list.change((entries) => [...entries, 'b'])).toEqual(['a', 'b']);
});

test('on a full disk a change is refused with the reason, the list stays, and nothing is left beside it', async (context) => {
  await using directory = await temporaryDirectory();
  const disk = directory.at('disk');
  await mkdir(disk);
  try {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  } catch {
    return context.skip('no file system can be mounted here');
  }
  try {
    const list = stateList(directory.at('disk', 'list.json'), parseText);
    await list.change(() => ['one']);
    await writeFile(directory.at('disk', 'ballast'), Buffer.alloc(128 * 1024)).catch(() => undefined);
    await expect(list.change((entries) => [...entries, 'two'])).rejects.toMatchObject({
      code: 'no-space',
      message: expect.stringMatching(/list\.json.*the disk is full/u),
    });
    expect(await list.read()).toEqual(['one']);
    expect((await readdir(disk)).toSorted()).toEqual(['ballast', 'list.json']);
    await rm(directory.at('disk', 'ballast'));
    expect(await list.change((entries) => [...entries, 'two'])).toEqual(['one', 'two']);
  } finally {
    await promisify(execFile)('umount', ['-l', disk]);
  }
});
