import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSessionOwners } from './session-owner-file.ts';

let folder = '';
let file = '';
const ann = { owner: 'token:a', cwd: '/work' };
const bob = { owner: 'token:b', cwd: '/work' };

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-owners-'));
  file = path.join(folder, 'acp-owners.jsonl');
});

afterEach(() => rm(folder, { recursive: true }));

test('owners are there after a restart, for each agent its own', async () => {
  const before = await openSessionOwners(file);
  await before.set('one', 's', ann);
  await before.set('two', 's', bob);
  await before.set('one', 'gone', ann);
  await before.delete('one', 'gone');
  // It was killed: nothing is closed.

  await using after = await openSessionOwners(file);

  expect(after.find('one', 's')).toEqual(ann);
  expect(after.find('two', 's')).toEqual(bob);
  expect(after.find('one', 'gone')).toBeUndefined();
  expect(after.find('three', 's')).toBeUndefined();
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o077).toBe(0);
  await before[Symbol.asyncDispose]();
});

test('a line that was cut off is lost, and all before it count', async () => {
  {
    await using owners = await openSessionOwners(file);
    await owners.set('one', 's', ann);
  }
  await appendFile(file, '{"agent":"one","id":"t","own');

  await using owners = await openSessionOwners(file);

  expect(owners.find('one', 's')).toEqual(ann);
  expect(owners.find('one', 't')).toBeUndefined();
});

test('above the limit the oldest session has no owner', async () => {
  await using owners = await openSessionOwners(file, { limit: 2 });
  for (const id of ['first', 'second', 'third']) await owners.set('one', id, ann);

  expect(owners.find('one', 'first')).toBeUndefined();
  expect(owners.find('one', 'third')).toEqual(ann);
});

test('a file with many lines that are out of date is written anew at the start', async () => {
  {
    await using owners = await openSessionOwners(file);
    await owners.set('one', 'stored', ann);
    for (let turn = 0; turn < 30; turn += 1) {
      await owners.set('one', 'changing', { ...bob, cwd: String(turn) });
    }
  }
  const { size } = await stat(file);

  {
    await using owners = await openSessionOwners(file, { staleLines: 20 });
    expect(owners.find('one', 'changing')).toEqual({ ...bob, cwd: '29' });
    await owners.set('one', 'new', ann);
  }

  expect((await stat(file)).size).toBeLessThan(size / 4);
  await using owners = await openSessionOwners(file);
  expect(owners.find('one', 'stored')).toEqual(ann);
  expect(owners.find('one', 'new')).toEqual(ann);
});

test('an id that is too long for the file is refused', async () => {
  await using owners = await openSessionOwners(file);

  await expect(owners.set('one', 'x'.repeat(1025), ann)).rejects.toMatchObject({ code: 'invalid-session' });

  expect(owners.find('one', 'x'.repeat(1025))).toBeUndefined();
});
