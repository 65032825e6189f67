import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listWorktrees } from './find-worktrees.ts';
import { mergeWorktree } from './merge-worktree.ts';
import { openWorktree } from './open-worktree.ts';
import { removeWorktree } from './remove-worktree.ts';
import { repository, runInGit, type Repository } from './repository.fixture.ts';
import { worktreeState } from './worktree-state.ts';

async function worktree(repo: Repository, withChanges = false) {
  const { record, cwd, release } = await openWorktree(repo.root, { name: 'fix', withChanges }, repo.place);
  await release();
  return { record, cwd, write: (name: string, text: string) => writeFile(path.join(cwd, name), text) };
}

async function isGone(repo: Repository, folder: string): Promise<void> {
  expect(await stat(folder).catch(() => 'gone')).toBe('gone');
  expect(await repo.git('branch', '--list', 'parley/*')).toBe('');
  expect(await repo.git('for-each-ref', 'refs/parley/start')).toBe('');
  expect((await repo.git('worktree', 'list')).split('\n')).toHaveLength(1);
  const onDamaged = (): void => undefined;
  expect(await listWorktrees(repo.root, { ...repo.place, onDamaged })).toEqual([]);
}

test('a clean worktree is removed with its branch, and the repository is as before', async () => {
  await using repo = await repository();
  const before = await repo.state();
  const { record } = await worktree(repo);

  expect(await removeWorktree(record, repo.place)).toEqual({});

  await isGone(repo, record.path);
  expect(await repo.state()).toBe(before);
});

test('a worktree whose folder and branch the agent has removed is removed; a commit it had made without a branch is saved', async () => {
  await using repo = await repository();
  const { record, cwd, write } = await worktree(repo);
  await runInGit(cwd, 'checkout', '-q', '--detach');
  await write('new.txt', 'new\n');
  await runInGit(cwd, 'add', '-A');
  await runInGit(cwd, 'commit', '-q', '-m', 'detached');
  await runInGit(cwd, 'branch', '-q', '-D', record.branch);
  await rm(cwd, { recursive: true });

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed', files: 1 });
  await expect(removeWorktree(record, repo.place)).rejects.toMatchObject({ code: 'unsaved' });
  expect(await removeWorktree(record, { ...repo.place, discards: true })).toEqual({
    savedAs: 'refs/parley/saved/fix',
  });
  expect(await repo.git('show', 'refs/parley/saved/fix:new.txt')).toBe('new');
  await isGone(repo, record.path);
});

test('changes that are nowhere else are not removed; --discard saves them first, commits too', async () => {
  await using repo = await repository();
  const { record, write, cwd } = await worktree(repo);
  await write('one.txt', 'one\n');
  await runInGit(cwd, 'add', '-A');
  await runInGit(cwd, 'commit', '-q', '-m', 'one');
  await write('two.txt', 'two\n');

  await expect(removeWorktree(record, repo.place)).rejects.toMatchObject({ code: 'unsaved' });
  expect(await readFile(path.join(cwd, 'two.txt'), 'utf8')).toBe('two\n');
  const removed = await removeWorktree(record, { ...repo.place, discards: true });

  expect(removed).toEqual({ savedAs: 'refs/parley/saved/fix' });
  await isGone(repo, record.path);
  expect(await repo.git('show', 'refs/parley/saved/fix:two.txt')).toBe('two');
  expect(await repo.git('log', '--format=%s', '-2', 'refs/parley/saved/fix')).toContain('one');
});

test('what was saved under a name before stays', async () => {
  await using repo = await repository();
  for (const text of ['first', 'second']) {
    const { record, write } = await worktree(repo);
    await write('x.txt', text);
    await removeWorktree(record, { ...repo.place, discards: true });
  }

  expect(await repo.git('show', 'refs/parley/saved/fix:x.txt')).toBe('first');
  expect(await repo.git('show', 'refs/parley/saved/fix-2:x.txt')).toBe('second');
});

test('a merged worktree is removed; not when the merge was taken back in the checkout', async () => {
  await using repo = await repository();
  const { record, write } = await worktree(repo);
  await write('a.txt', 'changed\n');
  await mergeWorktree(record, repo.place);

  await repo.git('checkout', '-q', '.');
  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed' });
  await expect(removeWorktree(record, repo.place)).rejects.toMatchObject({ code: 'unsaved' });

  await mergeWorktree(record, { ...repo.place, message: 'merged' });
  // The commit has it, also when the files have gone on.
  await repo.write('a.txt', 'gone on\n');
  await repo.git('commit', '-q', '-a', '-m', 'gone on');
  const { [0]: merged = record } = await listWorktrees(repo.root, {
    ...repo.place,
    onDamaged: () => undefined,
  });
  await removeWorktree(merged, repo.place);
  await isGone(repo, record.path);
});

test('a branch that git has merged is removed', async () => {
  await using repo = await repository();
  const { record, write, cwd } = await worktree(repo);
  await write('a.txt', 'changed\n');
  await runInGit(cwd, 'commit', '-q', '-a', '-m', 'changed');
  await repo.git('merge', '-q', '--no-ff', '-m', 'merge', 'parley/fix');
  await repo.write('a.txt', 'gone on\n');

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'merged' });
  await removeWorktree(record, repo.place);
  await isGone(repo, record.path);
});

test('a branch that the user has renamed is that of the worktree: listed, saved and removed', async () => {
  await using repo = await repository();
  const { record, write, cwd } = await worktree(repo);
  await write('a.txt', 'changed\n');
  await runInGit(cwd, 'commit', '-q', '-a', '-m', 'changed');
  await repo.git('branch', '-m', record.branch, 'mine');
  await repo.git('branch', '-m', 'mine', 'feature/mine');

  const [listed = record] = await listWorktrees(repo.root, { ...repo.place, onDamaged: () => undefined });

  expect(listed.branch).toBe('feature/mine');
  expect(await worktreeState(listed, repo.place)).toMatchObject({ state: 'changed', files: 1 });
  await expect(removeWorktree(listed, repo.place)).rejects.toMatchObject({ code: 'unsaved' });
  await removeWorktree(listed, { ...repo.place, discards: true });
  expect(await repo.git('show', 'refs/parley/saved/fix:a.txt')).toBe('changed');
  expect(await repo.git('branch', '--format=%(refname:short)')).toBe('main');
  await isGone(repo, record.path);
});

test('another branch that is checked out, instead of a deleted one, is not removed with the worktree', async () => {
  await using repo = await repository();
  const { record, cwd } = await worktree(repo);
  await repo.git('branch', 'develop');
  await runInGit(cwd, 'switch', '-q', 'develop');
  await repo.git('branch', '-q', '-D', record.branch);

  const [listed = record] = await listWorktrees(repo.root, { ...repo.place, onDamaged: () => undefined });
  await removeWorktree(listed, repo.place);

  expect(listed.branch).toBe(record.branch);
  expect(await repo.git('branch', '--format=%(refname:short)')).toBe('develop\nmain');
  await isGone(repo, record.path);
});

test('brought changes that the user has dropped since are nowhere else', async () => {
  await using repo = await repository();
  await repo.write('a.txt', 'brought\n');
  const { record } = await worktree(repo, true);
  await repo.git('checkout', '-q', '.');

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'clean' });
  await expect(removeWorktree(record, repo.place)).rejects.toMatchObject({ code: 'unsaved' });
  await removeWorktree(record, { ...repo.place, discards: true });
  expect(await repo.git('show', 'refs/parley/saved/fix:a.txt')).toBe('brought');
});

test('commits on its branch that are not checked out any more are saved too', async () => {
  await using repo = await repository();
  const { record, write, cwd } = await worktree(repo);
  await write('one.txt', 'one\n');
  await runInGit(cwd, 'add', '-A');
  await runInGit(cwd, 'commit', '-q', '-m', 'one');
  await runInGit(cwd, 'checkout', '-q', '--detach', record.base);

  await expect(removeWorktree(record, repo.place)).rejects.toMatchObject({ code: 'unsaved' });
  await removeWorktree(record, { ...repo.place, discards: true });
  expect(await repo.git('log', '--format=%s', 'refs/parley/saved/fix')).toContain('one');
});

test('a repository in the worktree is never removed with it', async () => {
  await using repo = await repository();
  const { record, cwd } = await worktree(repo);
  await mkdir(path.join(cwd, 'nested'));
  await runInGit(path.join(cwd, 'nested'), 'init', '-q');
  await writeFile(path.join(cwd, 'nested/work.txt'), 'work\n');

  for (const discards of [false, true]) {
    await expect(removeWorktree(record, { ...repo.place, discards })).rejects.toMatchObject({
      code: 'unsaved',
      message: expect.stringContaining('nested/') as string,
    });
  }
  expect(await readFile(path.join(cwd, 'nested/work.txt'), 'utf8')).toBe('work\n');
});

test('while a session works there it is not removed', async () => {
  await using repo = await repository();
  const { record } = await openWorktree(repo.root, { name: 'fix' }, repo.place);

  await expect(removeWorktree(record, { ...repo.place, discards: true })).rejects.toMatchObject({
    code: 'in-use',
  });
});

test('a worktree whose folder was removed by hand takes nothing of what was brought along back', async () => {
  await using repo = await repository({
    'b.txt': 'b\n',
    '.gitignore': 'included\n',
    '.worktreeinclude': 'included\n',
  });
  await repo.write('a.txt', 'mine\n');
  await repo.write('new.txt', 'mine\n');
  await repo.write('included', 'mine\n');
  const { record, cwd } = await openWorktree(repo.root, { name: 'fix', withChanges: true }, repo.place);
  await writeFile(path.join(cwd, 'b.txt'), 'theirs\n');
  await writeFile(path.join(cwd, 'new.txt'), 'mine\ntheirs\n');
  await runInGit(cwd, 'add', 'b.txt', 'new.txt');
  await runInGit(cwd, 'commit', '-q', '-m', 'theirs');
  await rm(cwd, { recursive: true });

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed', files: 2 });
  expect(await mergeWorktree(record, repo.place)).toMatchObject({ files: 2 });

  const files = await Promise.all(['a.txt', 'new.txt', 'included', 'b.txt'].map((name) => repo.read(name)));
  expect(files).toEqual(['mine\n', 'mine\ntheirs\n', 'mine\n', 'theirs\n']);
});

test('a worktree whose folder was removed by hand is what its branch has', async () => {
  await using repo = await repository();
  const { record, write, cwd } = await worktree(repo);
  await write('one.txt', 'one\n');
  await runInGit(cwd, 'add', '-A');
  await runInGit(cwd, 'commit', '-q', '-m', 'one');
  await rm(cwd, { recursive: true });

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed', additions: 1 });
  await expect(removeWorktree(record, repo.place)).rejects.toMatchObject({ code: 'unsaved' });
  await removeWorktree(record, { ...repo.place, discards: true });
  await isGone(repo, record.path);
});
