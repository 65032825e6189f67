import { access, lstat, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inOwnCheckout, listWorktrees } from './find-worktrees.ts';
import { mergeWorktree } from './merge-worktree.ts';
import { openWorktree } from './open-worktree.ts';
import { writeRecord } from './record.ts';
import { removeWorktree } from './remove-worktree.ts';
import { repository, runInGit } from './repository.fixture.ts';
import { worktreePatch, worktreeState } from './worktree-state.ts';

const onDamaged = (error: Error): never => {
  throw error;
};

test('a new worktree is on a branch of its own at HEAD, in the state folder, and the checkout stays as it is', async () => {
  await using repo = await repository();
  await repo.write('a.txt', 'edited\n');
  const before = await repo.git('status', '--porcelain');

  const { record, cwd, isNew } = await openWorktree(repo.root, { name: 'fix' }, repo.place);

  expect(isNew).toBe(true);
  expect(cwd).toBe(record.path);
  expect(record.path.startsWith(await realpath(repo.place.stateFolder))).toBe(true);
  expect(record).toMatchObject({ branch: 'parley/fix', base: await repo.git('rev-parse', 'HEAD') });
  expect(await runInGit(cwd, 'symbolic-ref', 'HEAD')).toBe('refs/heads/parley/fix');
  expect(await runInGit(cwd, 'status', '--porcelain')).toBe('');
  expect(await repo.git('status', '--porcelain')).toBe(before);
  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'clean', files: 0 });
});

test('a worktree begins from the commit that --base names', async () => {
  await using repo = await repository();
  const first = await repo.git('rev-parse', 'HEAD');
  await repo.write('b.txt', 'b\n');
  await repo.git('add', '-A');
  await repo.git('commit', '-q', '-m', 'second');

  const { record, cwd } = await openWorktree(repo.root, { base: 'HEAD~1' }, repo.place);

  expect(record).toMatchObject({ base: first, baseRef: 'HEAD~1' });
  await expect(access(path.join(cwd, 'b.txt'))).rejects.toThrow('ENOENT');
});

test.each(['nothing', '--help', 'HEAD:a.txt', ''])('the base %j is refused', async (base) => {
  await using repo = await repository();
  await expect(openWorktree(repo.root, { base }, repo.place)).rejects.toMatchObject({ code: 'invalid-name' });
});

test.each(['../x', 'a/b', '.x', '-x', 'x.lock', 'x..y', 'x.', '', 'a b', 'x~1', 'a\nb', 'x'.repeat(101)])(
  'the name %j is refused, and nothing is made',
  async (name) => {
    await using repo = await repository();
    const before = await repo.state();

    await expect(openWorktree(repo.root, { name }, repo.place)).rejects.toMatchObject({
      code: 'invalid-name',
    });

    expect(await repo.state()).toBe(before);
  },
);

test('a worktree that exists goes on, with what is in it, once its session has released it', async () => {
  await using repo = await repository();
  const first = await openWorktree(repo.root, { name: 'fix' }, repo.place);
  await writeFile(path.join(first.cwd, 'new.txt'), 'new\n');

  await expect(openWorktree(repo.root, { name: 'fix' }, repo.place)).rejects.toMatchObject({
    code: 'in-use',
  });
  await first.release();
  const second = await openWorktree(repo.root, { name: 'fix' }, repo.place);

  expect(second).toMatchObject({ isNew: false, cwd: first.cwd });
  expect(await readFile(path.join(second.cwd, 'new.txt'), 'utf8')).toBe('new\n');
  await second.release();
  await expect(openWorktree(repo.root, { name: 'fix', withChanges: true }, repo.place)).rejects.toMatchObject(
    { code: 'exists' },
  );
});

test('a worktree that was killed while it was made is listed, and made anew by its name', async () => {
  await using repo = await repository();
  const { record, release } = await openWorktree(repo.root, { name: 'fix' }, repo.place);
  await release();
  await writeRecord({ ...record, isReady: false });

  expect(await listWorktrees(repo.root, { ...repo.place, onDamaged })).toMatchObject([{ name: 'fix' }]);
  const again = await openWorktree(repo.root, { name: 'fix' }, repo.place);

  expect(again.isNew).toBe(true);
  expect(await readFile(path.join(again.cwd, 'a.txt'), 'utf8')).toBe(await repo.read('a.txt'));
});

test('a record without anything of git is made into a worktree, and can be removed', async () => {
  await using repo = await repository();
  const { record, release } = await openWorktree(repo.root, { name: 'one' }, repo.place);
  await release();
  await removeWorktree(record, repo.place);
  await writeRecord({ ...record, isReady: false });
  await writeRecord({
    ...record,
    name: 'two',
    path: `${record.path}-2`,
    branch: 'parley/two',
    isReady: false,
  });

  const again = await openWorktree(repo.root, { name: 'one' }, repo.place);

  expect(again.isNew).toBe(true);
});

test('a branch of the user with that name is left alone', async () => {
  await using repo = await repository();
  await repo.git('branch', 'parley/fix');

  await expect(openWorktree(repo.root, { name: 'fix' }, repo.place)).rejects.toMatchObject({
    code: 'exists',
  });

  expect(await listWorktrees(repo.root, { ...repo.place, onDamaged })).toEqual([]);
  expect(await repo.git('branch', '--list', 'parley/fix')).toContain('parley/fix');
});

test('a branch "parley" of the user, beside which git makes no branch of ours, is named, and nothing is made', async () => {
  await using repo = await repository();
  await repo.git('branch', 'parley');

  await expect(openWorktree(repo.root, { name: 'fix' }, repo.place)).rejects.toMatchObject({
    code: 'exists',
    message: expect.stringContaining('git branch -m parley NEW') as string,
  });

  expect(await listWorktrees(repo.root, { ...repo.place, onDamaged })).toEqual([]);
  expect(await repo.git('branch', '--list')).toBe('* main\n  parley');
});

test('uncommitted changes are brought along, staged, unstaged, deleted and new ones, and stay in the checkout', async () => {
  await using repo = await repository({ 'gone.txt': 'x\n', 'staged.txt': 'x\n', '.gitignore': 'ignored\n' });
  await repo.write('staged.txt', 'staged\n');
  await repo.git('add', 'staged.txt');
  await repo.write('a.txt', 'edited\n');
  await repo.write('dir/new.txt', 'new\n');
  await repo.write('ignored', 'secret\n');
  await repo.git('rm', '-q', 'gone.txt');
  const before = [await repo.state(), await repo.git('status', '--porcelain')];

  const { record, cwd } = await openWorktree(repo.root, { name: 'fix', withChanges: true }, repo.place);

  expect(await readFile(path.join(cwd, 'staged.txt'), 'utf8')).toBe('staged\n');
  expect(await readFile(path.join(cwd, 'a.txt'), 'utf8')).toBe('edited\n');
  expect(await readFile(path.join(cwd, 'dir/new.txt'), 'utf8')).toBe('new\n');
  await expect(access(path.join(cwd, 'gone.txt'))).rejects.toThrow('ENOENT');
  await expect(access(path.join(cwd, 'ignored'))).rejects.toThrow('ENOENT');
  // They are what it began from: nothing was changed in the worktree.
  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'clean', files: 0 });
  const after = [await repo.state(), await repo.git('status', '--porcelain')];
  expect(after[1]).toBe(before[1]);
  const own = (line: string): boolean => !line.includes('parley/fix') && !line.includes('parley/start');
  expect(after[0]?.split('\n').filter(own)).toEqual(before[0]?.split('\n'));
});

test('uncommitted changes that do not fit onto the base are a conflict, and nothing is made', async () => {
  await using repo = await repository();
  await repo.write('a.txt', 'second\n');
  await repo.git('commit', '-q', '-a', '-m', 'second');
  await repo.write('a.txt', 'third\n');
  const before = await repo.state();

  await expect(
    openWorktree(repo.root, { name: 'fix', base: 'HEAD~1', withChanges: true }, repo.place),
  ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('a.txt') as string });

  expect(await repo.state()).toBe(before);
  expect(await listWorktrees(repo.root, { ...repo.place, onDamaged })).toEqual([]);
});

test('files that .worktreeinclude names are copied, links as links, and never through a link of the base', async () => {
  await using repo = await repository({
    '.gitignore': '.env*\nbuild/\nlinked/\nlink\n',
    '.worktreeinclude': '.env*\n!.env.other\nbuild/keep/\nlinked/\nlink\n',
  });
  await repo.write('.env', 'KEY=1\n');
  await repo.write('.env.other', 'no\n');
  await repo.write('build/keep/x', 'x\n');
  await repo.write('build/y', 'y\n');
  await mkdir(repo.outside('elsewhere'));
  await repo.git('checkout', '-q', '-b', 'evil');
  await symlink(repo.outside('elsewhere'), path.join(repo.root, 'linked'));
  await repo.git('add', '-f', 'linked');
  await repo.git('commit', '-q', '-m', 'a link');
  await repo.git('checkout', '-q', 'main');
  await repo.write('linked/file', 'x\n');
  await symlink('.env', path.join(repo.root, 'link'));

  const { cwd } = await openWorktree(repo.root, { base: 'evil' }, repo.place);

  expect(await readFile(path.join(cwd, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(await readFile(path.join(cwd, 'build/keep/x'), 'utf8')).toBe('x\n');
  expect((await lstat(path.join(cwd, 'link'))).isSymbolicLink()).toBe(true);
  await expect(access(path.join(cwd, '.env.other'))).rejects.toThrow('ENOENT');
  await expect(access(path.join(cwd, 'build/y'))).rejects.toThrow('ENOENT');
  await expect(access(repo.outside('elsewhere', 'file'))).rejects.toThrow('ENOENT');
});

test('a folder with the name .worktreeinclude names nothing', async () => {
  await using repo = await repository({ '.worktreeinclude/file': 'x\n' });

  const { cwd } = await openWorktree(repo.root, { name: 'fix' }, repo.place);

  expect(await readFile(path.join(cwd, '.worktreeinclude/file'), 'utf8')).toBe('x\n');
});

test('a copied file that git does not ignore is no change of the worktree, in no patch and in no merge', async () => {
  await using repo = await repository({ '.worktreeinclude': '.env\n' });
  await repo.write('.env', 'KEY=1\n');
  const { record, cwd } = await openWorktree(repo.root, { name: 'fix' }, repo.place);

  expect(await readFile(path.join(cwd, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'clean', files: 0 });

  await writeFile(path.join(cwd, 'new.txt'), 'new\n');
  expect((await worktreePatch(record, repo.place)).patch.toString()).not.toContain('KEY');
  await mergeWorktree(record, { ...repo.place, message: 'new' });
  expect(await repo.git('show', '--format=', '--name-only', 'HEAD')).toBe('new.txt');
  expect(await repo.read('.env')).toBe('KEY=1\n');
});

test('a subfolder of the repository is that subfolder of the worktree, also where git does not have it', async () => {
  await using repo = await repository({ 'packages/one/x.txt': 'x\n' });
  await mkdir(path.join(repo.root, 'empty'));

  const one = await openWorktree(path.join(repo.root, 'packages/one'), {}, repo.place);
  const two = await openWorktree(path.join(repo.root, 'empty'), {}, repo.place);

  expect(one.cwd).toBe(path.join(one.record.path, 'packages/one'));
  expect(await readFile(path.join(one.cwd, 'x.txt'), 'utf8')).toBe('x\n');
  expect(two.cwd).toBe(path.join(two.record.path, 'empty'));
  expect(await inOwnCheckout(path.join(one.cwd, 'x.txt'), repo.place)).toBe(
    path.join(repo.root, 'packages/one/x.txt'),
  );
});

test('a subfolder that is a link out of the worktree is refused', async () => {
  await using repo = await repository();
  await repo.git('checkout', '-q', '-b', 'evil');
  await symlink('/tmp', path.join(repo.root, 'sub'));
  await repo.git('add', 'sub');
  await repo.git('commit', '-q', '-m', 'link');
  await repo.git('checkout', '-q', 'main');
  await mkdir(path.join(repo.root, 'sub'));

  await expect(openWorktree(path.join(repo.root, 'sub'), { base: 'evil' }, repo.place)).rejects.toMatchObject(
    { code: 'outside' },
  );
});

test('a linked worktree of the user is a start too, and merges go there', async () => {
  await using repo = await repository();
  const linked = repo.outside('linked');
  await repo.git('worktree', 'add', '-q', '-b', 'other', linked);

  const { record } = await openWorktree(linked, { name: 'fix' }, repo.place);

  expect(record.checkout).toBe(linked);
  expect(await listWorktrees(repo.root, { ...repo.place, onDamaged })).toMatchObject([{ name: 'fix' }]);
});

test('no repository, a bare one, a .git file that leads nowhere: none of them has worktrees', async () => {
  await using repo = await repository();
  const bare = repo.outside('bare');
  const lost = repo.outside('lost');
  await mkdir(bare);
  await mkdir(lost);
  await runInGit(bare, 'init', '-q', '--bare');
  await writeFile(path.join(lost, '.git'), 'gitdir: /nowhere\n');

  for (const folder of [repo.outside(), bare, lost]) {
    await expect(openWorktree(folder, {}, repo.place)).rejects.toMatchObject({ code: 'not-a-repository' });
  }
});

test('a repository without a commit is refused, saying what to do', async () => {
  await using repo = await repository();
  const fresh = repo.outside('fresh');
  await mkdir(fresh);
  await runInGit(fresh, 'init', '-q');

  await expect(openWorktree(fresh, {}, repo.place)).rejects.toMatchObject({
    code: 'invalid-name',
    message: expect.stringContaining('make a first commit') as string,
  });
});

test('the state folder in the repository is no part of the changes', async () => {
  await using repo = await repository();
  const place = { stateFolder: path.join(repo.root, '.home') };
  await repo.write('.home/sessions/log', 'events\n');
  await repo.write('new.txt', 'new\n');

  const { record, cwd } = await openWorktree(repo.root, { withChanges: true }, place);

  expect(await readFile(path.join(cwd, 'new.txt'), 'utf8')).toBe('new\n');
  await expect(access(path.join(cwd, '.home'))).rejects.toThrow('ENOENT');
  expect(await worktreeState(record, place)).toMatchObject({ state: 'clean' });
});

test('variables of git that name another repository, as in a hook, have no effect', async () => {
  await using repo = await repository();
  const other = repo.outside('other');
  await mkdir(other);
  await runInGit(other, 'init', '-q');
  process.env['GIT_DIR'] = path.join(other, '.git');
  process.env['GIT_INDEX_FILE'] = path.join(other, 'index');
  try {
    const { record } = await openWorktree(repo.root, {}, repo.place);
    expect(record.repository).toBe(path.join(repo.root, '.git'));
  } finally {
    delete process.env['GIT_DIR'];
    delete process.env['GIT_INDEX_FILE'];
  }
});

test('no hook of the base runs, and a .git file that an agent has replaced is not read', async () => {
  await using repo = await repository({ '.hooks/post-checkout': '#!/bin/sh\ntouch "$RAN"\n' });
  await repo.git('update-index', '--chmod=+x', '.hooks/post-checkout');
  await repo.git('commit', '-q', '-m', 'executable');
  await repo.git('checkout', '-q', '-f', '.');
  await repo.git('config', 'core.hooksPath', '.hooks');
  const ran = repo.outside('ran');
  process.env['RAN'] = ran;
  try {
    const { record, cwd } = await openWorktree(repo.root, {}, repo.place);
    const evil = repo.outside('evil');
    await mkdir(evil);
    await runInGit(evil, 'init', '-q');
    await runInGit(evil, 'config', 'core.fsmonitor', 'touch "$RAN"; false');
    await runInGit(evil, 'config', 'filter.x.clean', 'touch "$RAN"; cat');
    await writeFile(path.join(cwd, '.git'), `gitdir: ${evil}/.git\n`);
    await writeFile(path.join(cwd, '.gitattributes'), '* filter=x\n');

    const { patch } = await worktreePatch(record, repo.place);
    const inner = await openWorktree(cwd, { withChanges: true }, repo.place);
    await runInGit(evil, 'config', 'core.worktree', repo.outside());
    await openWorktree(cwd, {}, repo.place);

    expect(patch.toString()).toContain('+* filter=x');
    expect(inner.record).toMatchObject({ repository: record.repository, checkout: cwd });
    expect(await listWorktrees(cwd, { ...repo.place, onDamaged })).toHaveLength(3);
    await expect(access(ran)).rejects.toThrow('ENOENT');
  } finally {
    delete process.env['RAN'];
  }
});
