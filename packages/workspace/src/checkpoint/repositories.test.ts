import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.fixture.ts';
import { openCheckpoints, type Checkpoints } from './checkpoints.ts';
import { fingerprint } from './repository-files.fixture.ts';
import { inShort, testWorkspace, userGit, writeFiles } from './workspace.fixture.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test("the user's repository is byte for byte as before a checkpoint, with hooks, filters and attributes that would change it", async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at, git } = workspace;
  await git('init', '-q');
  const marker = at('../marker');
  await workspace.write({
    '.gitattributes': '*.txt text eol=crlf filter=shout working-tree-encoding=UTF-16\n*.id ident\n',
    'a.txt': 'one\r\ntwo\n',
    'b.id': '$Id: keep $\n',
    '.git/hooks/post-index-change': `#!/bin/sh\necho ran >> ${marker}\n`,
    '.git/hooks/fsmonitor': `#!/bin/sh\necho ran >> ${marker}\n`,
  });
  await git('config', 'filter.shout.clean', `echo ran >> ${marker}; tr a-z A-Z`);
  await git('config', 'core.autocrlf', 'true');
  await git('-c', 'core.attributesFile=/dev/null', 'add', 'b.id');
  await git('commit', '-qm', 'first');
  await workspace.write({ 'b.id': 'stashed\n' });
  await git('stash', '-q');
  await git('config', 'core.fsmonitor', '.git/hooks/fsmonitor');
  await git('config', 'core.untrackedCache', 'true');
  await rm(marker, { force: true });
  const before = await fingerprint(at('.git'));

  const first = await checkpoints.take();
  await workspace.write({ 'a.txt': 'one\r\nthree\n', 'new/c.txt': 'c' });
  const second = await checkpoints.take();

  expect(await fingerprint(at('.git'))).toEqual(before);
  await expect(stat(marker)).rejects.toMatchObject({ code: 'ENOENT' });
  const [changed, added] = await checkpoints.compare(first.id, second.id);
  expect((await checkpoints.read(changed?.before?.blob ?? '')).toString()).toBe('one\r\ntwo\n');
  expect((await checkpoints.read(changed?.after?.blob ?? '')).toString()).toBe('one\r\nthree\n');
  expect(added).toMatchObject({ path: 'new/c.txt', status: 'added' });
});

test('variables and settings of the user act on no checkpoint', async () => {
  await using workspace = await testWorkspace();
  await using home = await temporaryDirectory();
  await writeFiles(home.path, {
    '.gitconfig': '[core]\n\tautocrlf = true\n\tquotePath = true\n[core]\n\tbare = true\n',
    index: 'none',
  });
  for (const [name, value] of Object.entries({
    HOME: home.path,
    GIT_DIR: home.at('nowhere'),
    GIT_WORK_TREE: home.path,
    GIT_INDEX_FILE: home.at('index'),
    GIT_OBJECT_DIRECTORY: home.at('objects'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.autocrlf',
    GIT_CONFIG_VALUE_0: 'true',
    GIT_DEFAULT_HASH: 'sha256',
    GIT_TRACE: home.at('trace'),
  })) {
    vi.stubEnv(name, value);
  }
  await workspace.write({ 'a.txt': 'one\r\n' });

  const { id } = await workspace.checkpoints.take();

  const [entry] = await workspace.checkpoints.entries(id);
  expect((await workspace.checkpoints.read(entry?.blob ?? '')).toString()).toBe('one\r\n');
  expect(await readdir(home.path)).toEqual(['.gitconfig', 'index']);
});

test("the user's own ignore files count, and files of the user's index are covered though they are ignored", async () => {
  await using workspace = await testWorkspace();
  await using home = await temporaryDirectory();
  await writeFiles(home.path, { 'config/git/ignore': '*.mine\n' });
  vi.stubEnv('XDG_CONFIG_HOME', home.at('config'));
  const { at, git } = workspace;
  await git('init', '-q');
  await workspace.write({
    '.gitignore': '*.log\n',
    '.git/info/exclude': '*.local\n',
    'a.log': 'a',
    'b.log': 'b',
    'c.local': 'c',
    'd.mine': 'd',
    e: 'e',
  });
  await git('add', '-f', 'b.log');
  await using checkpoints = await openCheckpoints({
    workspace: workspace.folder,
    stateDir: workspace.stateDir,
  });

  const first = await checkpoints.take();
  expect(await names(checkpoints, first.id)).toEqual(['.gitignore', 'b.log', 'e']);
  await workspace.write({ 'b.log': 'changed', 'a.log': 'changed' });
  const second = await checkpoints.take();
  expect(inShort(await checkpoints.compare(first.id, second.id))).toEqual(['modified b.log']);
  await rm(at('b.log'));
  const third = await checkpoints.take();
  expect(inShort(await checkpoints.compare(second.id, third.id))).toEqual(['deleted b.log']);
  await workspace.write({ 'b.log': 'again' });
  const fourth = await checkpoints.take();
  expect(inShort(await checkpoints.compare(first.id, fourth.id))).toEqual(['modified b.log']);
  await git('rm', '-q', '--cached', '-f', 'b.log');
  const fifth = await checkpoints.take();
  expect(await names(checkpoints, fifth.id)).toEqual(['.gitignore', 'e']);
  expect(inShort(await checkpoints.compare(first.id, fifth.id))).toEqual([]);
});

test('nested repositories, submodules and linked worktrees are covered by their own rules, without their .git', async () => {
  await using workspace = await testWorkspace();
  await using other = await temporaryDirectory();
  await writeFiles(other.path, { 'sub.txt': 'sub\n', 'ignored-outside': 'x\n' });
  await userGit(other.path, ['init', '-q']);
  await userGit(other.path, ['add', '.']);
  await userGit(other.path, ['commit', '-qm', 'first']);
  const { checkpoints, at, git } = workspace;
  await git('init', '-q');
  await workspace.write({
    '.gitignore': 'ignored-outside\n',
    'top.txt': 'top\n',
    'deep/nested/.gitignore': '*.o\n',
    'deep/nested/a.c': 'a\n',
    'deep/nested/a.o': 'o',
  });
  await userGit(at('deep/nested'), ['init', '-q']);
  await git('submodule', 'add', '-q', other.path, 'module');
  await userGit(at('module'), ['worktree', 'add', '-q', at('linked')]);

  const first = await checkpoints.take();
  expect(await names(checkpoints, first.id)).toEqual([
    '.gitignore',
    '.gitmodules',
    'deep/nested/.gitignore',
    'deep/nested/a.c',
    'linked/ignored-outside',
    'linked/sub.txt',
    'module/ignored-outside',
    'module/sub.txt',
    'top.txt',
  ]);
  expect(first.omitted).toEqual([]);
  expect((await checkpoints.take()).id).toBe(first.id);

  await workspace.write({
    'deep/nested/a.c': 'changed\n',
    'module/new.txt': 'new\n',
    'deep/nested/b.o': 'o',
  });
  await rm(at('linked/sub.txt'));
  const second = await checkpoints.take();
  expect(inShort(await checkpoints.compare(first.id, second.id))).toEqual([
    'modified deep/nested/a.c',
    'deleted linked/sub.txt',
    'added module/new.txt',
  ]);
});

test('a repository that appears, and one whose .git goes, changes no file', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at } = workspace;
  await workspace.write({ 'a/one': '1', 'b/two': '2', 'b/inner/three': '3' });
  await userGit(at('b'), ['init', '-q']);
  await userGit(at('b/inner'), ['init', '-q']);
  const first = await checkpoints.take();

  await userGit(at('a'), ['init', '-q']);
  await rm(at('b/.git'), { recursive: true });
  const second = await checkpoints.take();
  await rename(at('b'), at('c'));
  await userGit(at('c'), ['init', '-q']);
  const third = await checkpoints.take();

  expect(await checkpoints.compare(first.id, second.id)).toEqual([]);
  expect(inShort(await checkpoints.compare(second.id, third.id))).toEqual([
    'renamed c/inner/three',
    'renamed c/two',
  ]);
});

test('a .git file that points nowhere, and a .git folder that is none, leave an ordinary folder', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints } = workspace;
  await workspace.write({
    'a/.git': 'gitdir: /nowhere/at/all\n',
    'a/file': 'a',
    'b/.git/junk': 'x',
    'b/file': 'b',
    '.git': 'gitdir: nowhere\n',
    'c/.git': '',
    'c/file': 'c',
  });

  const { id, omitted } = await checkpoints.take();

  expect(await names(checkpoints, id)).toEqual(['a/file', 'b/file', 'c/file']);
  expect(omitted).toEqual([]);
});

test('a workspace inside another repository follows the rules above it, unless these ignore it as a whole', async () => {
  await using outer = await temporaryDirectory();
  await writeFiles(outer.path, {
    '.gitignore': '*.log\n/other/\n',
    'packages/.gitignore': 'build/\n',
    'packages/one/a.log': 'l',
    'packages/one/build/x': 'x',
    'packages/one/src/y': 'y',
    'other/a.log': 'l',
    outside: 'o',
  });
  await userGit(outer.path, ['init', '-q']);
  await writeFile(outer.at('packages/one/tracked.log'), 't');
  await userGit(outer.path, ['add', '-f', 'packages/one/tracked.log']);
  await using inside = await openCheckpoints({
    workspace: outer.at('packages/one'),
    stateDir: outer.at('.git/state'),
  });
  await using ignored = await openCheckpoints({
    workspace: outer.at('other'),
    stateDir: outer.at('.git/state'),
  });

  const first = await inside.take();
  expect(await names(inside, first.id)).toEqual(['src/y', 'tracked.log']);
  await writeFile(outer.at('packages/one/src/y'), 'y2');
  const second = await inside.take();
  expect(inShort(await inside.compare(first.id, second.id))).toEqual(['modified src/y']);
  await writeFile(outer.at('packages/.gitignore'), 'src/\n');
  const third = await inside.take();
  expect(await names(inside, third.id)).toEqual(['build/x', 'tracked.log']);
  expect(await names(ignored, (await ignored.take()).id)).toEqual(['a.log']);
});

test('the state folder inside the workspace is left out, and a worktree inside the state folder is covered', async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, { '.gitignore': '!*\n', a: 'a', '.parley [x]/worktrees/w/b': 'b' });
  const stateDir = directory.at('.parley [x]');
  await using outside = await openCheckpoints({ workspace: directory.path, stateDir });
  await using worktree = await openCheckpoints({
    workspace: directory.at('.parley [x]/worktrees/w'),
    stateDir,
  });

  expect(await names(outside, (await outside.take()).id)).toEqual(['.gitignore', 'a']);
  expect(await names(outside, (await outside.take()).id)).toEqual(['.gitignore', 'a']);
  expect(await names(worktree, (await worktree.take()).id)).toEqual(['b']);
});

test('a sparse checkout, a rebase, a switch, a garbage collection and a lost repository do not disturb checkpoints', async () => {
  await using workspace = await testWorkspace();
  const { checkpoints, at, git } = workspace;
  await git('init', '-q');
  await git('symbolic-ref', 'HEAD', 'refs/heads/main');
  await workspace.write({ 'one/a': 'a\n', 'two/b': 'b\n' });
  await git('add', '.');
  await git('commit', '-qm', 'first');
  const first = await checkpoints.take();

  await git('sparse-checkout', 'set', '--sparse-index', 'one');
  await workspace.write({ 'one/a': 'changed\n' });
  await git('checkout', '-qb', 'side');
  await git('commit', '-qam', 'side');
  await git('checkout', '-q', 'main');
  await git('commit', '-q', '--allow-empty', '-m', 'main');
  await git('rebase', '-q', 'main', 'side');
  const second = await checkpoints.take();
  await git('reflog', 'expire', '--expire=all', '--all');
  await git('gc', '-q', '--prune=now');
  const third = await checkpoints.take();
  await rm(at('.git'), { recursive: true });
  const fourth = await checkpoints.take();

  expect(inShort(await checkpoints.compare(first.id, second.id))).toEqual([
    'modified one/a',
    'deleted two/b',
  ]);
  expect(await checkpoints.compare(second.id, third.id)).toEqual([]);
  expect(await checkpoints.compare(third.id, fourth.id)).toEqual([]);
  const [entry] = await checkpoints.entries(first.id, ['two']);
  expect((await checkpoints.read(entry?.blob ?? '')).toString()).toBe('b\n');
});

async function names(checkpoints: Checkpoints, id: string): Promise<readonly unknown[]> {
  return (await checkpoints.entries(id)).map((entry) => entry.path);
}
