import { expect, test } from 'vitest';
import { folderOn, fromColumn, toColumn, toSessionFolder, type MachineFolders } from './session-folder.ts';

const one: MachineFolders = {
  host: 'one',
  workspaces: [{ name: 'app', folder: '/src/app' }, { folder: '/notes' }],
};
const two: MachineFolders = {
  host: 'two',
  workspaces: [{ name: 'app', folder: '/mnt/app' }, { folder: '/notes' }],
};

test('a folder in a named workspace is found on a machine that has it elsewhere', () => {
  expect(folderOn(two, toSessionFolder('/src/app/web', one))).toBe('/mnt/app/web');
});

test('a folder without a name belongs to its machine, also where others have the same path', () => {
  const stored = toSessionFolder('/notes/today', one);

  expect(folderOn(one, stored)).toBe('/notes/today');
  expect(folderOn(two, stored)).toBeUndefined();
});

test('a replica on the same machine without that workspace does not have the folder', () => {
  const stored = toSessionFolder('/notes', one);

  expect(folderOn({ host: 'one', workspaces: [{ folder: '/other' }] }, stored)).toBeUndefined();
});

test('a session that was copied from elsewhere is found by its path', () => {
  expect(folderOn(two, { folder: '/notes/x' })).toBe('/notes/x');
});

test('a stored folder is read back as it was', () => {
  for (const cwd of ['/src/app', '/src/app/web', '/notes']) {
    const stored = toSessionFolder(cwd, one);
    expect(fromColumn(toColumn(stored), stored.folder)).toEqual(stored);
  }
});
