import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../temporary-directory.fixture.ts';
import { protectionBelow, protectionOf } from './protection.ts';

const roots = ['/work/.git/project', '/work/.git/project/inner'];

test.each([
  ['.git', 'git'],
  ['.git/config', 'git'],
  ['sub/.git/hooks/pre-commit', 'git'],
  ['.GIT/config', 'git'],
  ['.git./config', 'git'],
  ['.git /config', 'git'],
  ['.git::$INDEX_ALLOCATION/config', 'git'],
  ['git~1/config', 'git'],
  ['.g\u200Cit/config', 'git'],
  ['.ｇｉｔ/config', 'git'],
  ['.gitconfig', 'git'],
  ['.parley/settings.json', 'parley'],
  ['.env', 'environment'],
  ['.env.production', 'environment'],
  ['a/b/.envrc', 'environment'],
  ['.npmrc', 'package-manager'],
  ['.vscode/tasks.json', 'editor'],
  ['.idea', 'editor'],
  ['.husky/pre-commit', 'hooks'],
  ['node_modules/.bin/tsc', 'installed-programs'],
  ['inner/node_modules/.bin', 'installed-programs'],
  ['.bashrc', 'shell-startup'],
  ['.ZSHRC', 'shell-startup'],
  ['.config/fish/config.fish', 'shell-startup'],
])('%s is protected: %s', (name, protection) => {
  expect(protectionOf(path.posix.join('/work/.git/project', name), roots)).toBe(protection);
});

test.each([
  'src/a.ts',
  '.gitignore',
  '.github/workflows/a.yml',
  'node_modules/a/index.js',
  '.bin/a',
  'env',
  'git',
  '..',
  '...',
])('%s is not', (name) => {
  expect(protectionOf(`/work/.git/project/${name}`, roots)).toBeUndefined();
});

test('what lies elsewhere is judged by all of its path', () => {
  expect(protectionOf('/home/ada/.profile', roots)).toBe('shell-startup');
  expect(protectionOf('/work/.git/config', roots)).toBe('git');
  expect(protectionOf('/home/ada/notes', roots)).toBeUndefined();
});

test('a folder is what it holds, at any depth', async () => {
  await using directory = await temporaryDirectory();
  const { path: folder } = directory;
  await mkdir(path.join(folder, 'a', 'b', 'c'), { recursive: true });
  expect(await protectionBelow(folder)).toBeUndefined();

  await writeFile(path.join(folder, 'a', 'b', 'c', '.env'), '');
  expect(await protectionBelow(folder)).toBe('environment');
  expect(await protectionBelow(path.join(folder, 'missing'))).toBeUndefined();
});
