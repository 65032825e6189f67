import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { filesStore } from './files-store.ts';
import { removeUnbegun } from './remove-leftovers.ts';

const longAgo = new Date('2020-01-01');

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'session');
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), longAgo, longAgo);
  }
  await utimes(folder, longAgo, longAgo);
  return folder;
}

test.each([
  ['nothing in it', {}],
  [
    'an empty event log and temporary locks',
    { 'journal.jsonl': '', 'journal.lock.1a2b': '', 'journal.lock': '' },
  ],
])('a folder with %s is removed', async (_what, files) => {
  const folder = await folderWith(files);
  await removeUnbegun(folder);
  expect(await readdir(join(folder, '..'))).toEqual([]);
});

test('a folder with an event log, notes, or a writer stays', async () => {
  for (const files of [{ 'journal.jsonl': 'x' }, { 'desk.json': '{}' }]) {
    const folder = await folderWith(files);
    await removeUnbegun(folder);
    expect(await readdir(folder)).toEqual(Object.keys(files));
  }
});

test('opening an event log removes only its own stale temporary locks', async () => {
  const folder = await folderWith({ 'journal.lock.old': '' });
  await writeFile(join(folder, 'journal.lock.new'), '');
  const eventLog = await filesStore(dirname(folder)).open('session', {
    start: { agent: 'test', cwd: '/project', program: 'test' },
    onFailure: (error) => {
      throw error;
    },
  });
  expect((await readdir(folder)).toSorted()).toEqual(['journal.jsonl', 'journal.lock', 'journal.lock.new']);
  await eventLog.close();
});
