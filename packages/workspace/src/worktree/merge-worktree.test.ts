import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { oldGitOnPath } from '../git/old-git.fixture.ts';
import { mergeWorktree } from './merge-worktree.ts';
import { openWorktree } from './open-worktree.ts';
import { removeWorktree } from './remove-worktree.ts';
import { numbered, repository, runInGit, type Repository } from './repository.fixture.ts';
import { worktreePatch, worktreeState } from './worktree-state.ts';

async function worktree(repo: Repository, withChanges = false) {
  const { record, cwd } = await openWorktree(repo.root, { name: 'fix', withChanges }, repo.place);
  return { record, write: (name: string, text: string) => writeFile(path.join(cwd, name), text), cwd };
}

test('changes, committed and uncommitted, new, deleted, executable, binary and links, become uncommitted ones', async () => {
  await using repo = await repository({ 'gone.txt': 'x\n', 'run.sh': 'x\n', 'dir/file': 'x\n' });
  const { record, write, cwd } = await worktree(repo);
  await write('a.txt', `${numbered(9)}line 10\n`);
  await runInGit(cwd, 'commit', '-q', '-a', '-m', 'in the worktree');
  await write('new.bin', '\0\u0001binary\0');
  await write('new\nline.txt', 'new\n');
  await rm(path.join(cwd, 'gone.txt'));
  await chmod(path.join(cwd, 'run.sh'), 0o755);
  await symlink('a.txt', path.join(cwd, 'link'));
  await rm(path.join(cwd, 'dir'), { recursive: true });
  await write('dir', 'a file now\n');
  const before = await repo.state();

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed', files: 8 });
  const merge = await mergeWorktree(record, repo.place);

  expect(merge).toMatchObject({ checkout: repo.root, files: 8 });
  expect(await repo.read('a.txt')).toBe(numbered(10));
  expect(await repo.read('new.bin')).toBe('\0\u0001binary\0');
  expect(await repo.read('new\nline.txt')).toBe('new\n');
  expect(await repo.read('dir')).toBe('a file now\n');
  expect((await stat(path.join(repo.root, 'run.sh'))).mode & 0o111).not.toBe(0);
  expect(await repo.git('status', '--porcelain', 'gone.txt')).toBe(' D gone.txt');
  expect(await repo.git('diff', '--cached', '--name-only')).toBe('');
  expect(await repo.state()).toBe(before);
  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'merged' });
});

test('the patch is one that git apply takes', async () => {
  await using repo = await repository({ 'gone.txt': 'x\n', 'old.bin': '\0\u0001' });
  const { record, write, cwd } = await worktree(repo);
  await write('a.txt', 'a\n');
  await write('new.bin', '\0\u0002');
  await write('old.bin', '\0\u0003');
  await rm(path.join(cwd, 'gone.txt'));
  await symlink('a.txt', path.join(cwd, 'link'));
  await repo.git('config', 'diff.noprefix', 'true');
  await repo.git('config', 'color.ui', 'always');
  await repo.git('config', 'diff.external', 'false');

  const { patch } = await worktreePatch(record, repo.place);
  await writeFile(repo.outside('patch'), patch);
  await repo.git('apply', '--index', repo.outside('patch'));

  const files = await repo.git('ls-files', '-s');
  await runInGit(cwd, 'add', '-A');
  expect(files).toBe(await runInGit(cwd, 'ls-files', '-s'));
});

test('edits of the user to other lines, and to other files, stay', async () => {
  await using repo = await repository({ 'b.txt': 'b\n' });
  const { record, write } = await worktree(repo);
  await write('a.txt', numbered(9).replace('line 9', 'line nine'));
  await repo.write('a.txt', numbered(9).replace('line 1\n', 'line one\n'));
  await repo.write('b.txt', 'edited\n');
  await repo.git('add', 'b.txt');

  await mergeWorktree(record, repo.place);

  expect(await repo.read('a.txt')).toBe(
    numbered(9).replace('line 1\n', 'line one\n').replace('line 9', 'line nine'),
  );
  expect(await repo.git('diff', '--cached', '--name-only')).toBe('b.txt');
});

test('changes that were brought along are not merged again, also on the lines beside them', async () => {
  await using repo = await repository();
  await repo.write('a.txt', numbered(9).replace('line 5', 'line five'));
  const { record, write } = await worktree(repo, true);
  await write('a.txt', numbered(9).replace('line 5', 'line five').replace('line 6', 'line six'));

  expect(await mergeWorktree(record, repo.place)).toMatchObject({ files: 1, additions: 1, deletions: 1 });

  expect(await repo.read('a.txt')).toBe(
    numbered(9).replace('line 5', 'line five').replace('line 6', 'line six'),
  );
});

const conflicts: readonly (readonly [string, (repo: Repository) => Promise<unknown>])[] = [
  ['the same line was edited', (repo) => repo.write('a.txt', numbered(9).replace('line 5', 'mine'))],
  ['an edited file was deleted', (repo) => rm(path.join(repo.root, 'a.txt'))],
  ['a new file is there with other content', (repo) => repo.write('new.txt', 'mine\n')],
  ['an ignored file is in the way', (repo) => repo.write('ignored.txt', 'mine\n')],
  [
    'a folder is where a file would be',
    async (repo) => {
      await mkdir(path.join(repo.root, 'new.txt'));
      await repo.write('new.txt/file', 'mine\n');
    },
  ],
  [
    'a link is where a folder was',
    async (repo) => {
      await rename(path.join(repo.root, 'dir'), repo.outside('dir'));
      await symlink(repo.outside('dir'), path.join(repo.root, 'dir'));
    },
  ],
];

test.each(conflicts)('%s: conflict, and nothing is touched', async (_name, edit) => {
  await using repo = await repository({ '.gitignore': 'ignored.txt\n', 'dir/x.txt': 'x\n', 'c.txt': 'c\n' });
  const { record, write, cwd } = await worktree(repo);
  await write('a.txt', numbered(9).replace('line 5', 'theirs'));
  await write('new.txt', 'theirs\n');
  await write('ignored.txt', 'theirs\n');
  await write('.gitignore', '\n');
  await write('c.txt', 'theirs\n');
  await write('dir/x.txt', 'theirs\n');
  await edit(repo);
  const before = [await repo.state(), await repo.git('status', '--porcelain'), await repo.git('diff')];

  for (const options of [repo.place, { ...repo.place, message: 'merge' }]) {
    await expect(mergeWorktree(record, options)).rejects.toMatchObject({ code: 'conflict' });
  }

  expect([await repo.state(), await repo.git('status', '--porcelain'), await repo.git('diff')]).toEqual(
    before,
  );
  expect(await readFile(repo.outside('dir/x.txt'), 'utf8').catch(() => 'x\n')).toBe('x\n');
  expect(await readFile(path.join(cwd, 'new.txt'), 'utf8')).toBe('theirs\n');
});

test('with a message one commit holds the changes alone, hooks run, and what is staged stays staged', async () => {
  await using repo = await repository({ 'b.txt': 'b\n', 'c.txt': 'c\n' });
  const { record, write, cwd } = await worktree(repo);
  await write('a.txt', `${numbered(9)}line 10\n`);
  await runInGit(cwd, 'commit', '-q', '-a', '-m', 'one');
  await write('new.txt', 'new\n');
  await repo.write('b.txt', 'staged\n');
  await repo.git('add', 'b.txt');
  await repo.write('c.txt', 'edited\n');
  await repo.write('a.txt', numbered(9).replace('line 1\n', 'line one\n'));
  await writeFile(
    path.join(repo.root, '.git/hooks/pre-commit'),
    '#!/bin/sh\ngit diff --cached --name-only > ../seen\n',
  );
  await chmod(path.join(repo.root, '.git/hooks/pre-commit'), 0o755);

  const { commit } = await mergeWorktree(record, { ...repo.place, message: 'merge: fix' });

  expect(commit).toBe(await repo.git('rev-parse', 'HEAD'));
  expect(await repo.git('log', '-1', '--format=%s %an')).toBe('merge: fix A');
  expect((await repo.git('show', '--name-only', '--format=')).split('\n')).toEqual(['a.txt', 'new.txt']);
  expect(await repo.git('show', 'HEAD:a.txt')).toBe(`${numbered(9)}line 10`);
  expect(await readFile(repo.outside('seen'), 'utf8')).toBe('a.txt\nnew.txt\n');
  expect(await repo.git('status', '--porcelain')).toBe(' M a.txt\nM  b.txt\n M c.txt');
  expect(await repo.read('a.txt')).toBe(`${numbered(9).replace('line 1\n', 'line one\n')}line 10\n`);
  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'merged' });
});

test('a commit counts the files that an earlier merge left uncommitted', async () => {
  await using repo = await repository();
  const { record, write } = await worktree(repo);
  await write('new.txt', 'new\n');
  await mergeWorktree(record, repo.place);

  const merge = await mergeWorktree(record, { ...repo.place, message: 'merge: fix' });

  expect(merge).toMatchObject({ commit: await repo.git('rev-parse', 'HEAD'), files: 1, additions: 1 });
});

test('a hook that refuses the commit leaves the checkout as it was', async () => {
  await using repo = await repository();
  const { record, write } = await worktree(repo);
  await write('a.txt', 'a\n');
  await write('new.txt', 'new\n');
  await writeFile(path.join(repo.root, '.git/hooks/pre-commit'), '#!/bin/sh\necho no way >&2\nexit 1\n');
  await chmod(path.join(repo.root, '.git/hooks/pre-commit'), 0o755);
  const before = await repo.state();

  await expect(mergeWorktree(record, { ...repo.place, message: 'm' })).rejects.toMatchObject({
    code: 'failed',
    message: expect.stringContaining('no way') as string,
  });

  expect(await repo.state()).toBe(before);
  expect(await repo.git('status', '--porcelain')).toBe('');
});

test('a merge that the user has begun is not ended by ours', async () => {
  await using repo = await repository();
  const { record, write } = await worktree(repo);
  await write('new.txt', 'new\n');
  await repo.git('checkout', '-q', '-b', 'other');
  await repo.write('a.txt', 'other\n');
  await repo.git('commit', '-q', '-a', '-m', 'other');
  await repo.git('checkout', '-q', 'main');
  await repo.write('a.txt', 'main\n');
  await repo.git('commit', '-q', '-a', '-m', 'main');
  await repo.git('merge', 'other').catch(() => undefined);

  for (const options of [repo.place, { ...repo.place, message: 'merge' }]) {
    await expect(mergeWorktree(record, options)).rejects.toMatchObject({ code: 'conflict' });
  }
  expect(await repo.git('status', '--porcelain')).toBe('UU a.txt');
});

test('a commit is refused while another git command has the index, which could not follow it', async () => {
  await using repo = await repository();
  const { record, write } = await worktree(repo);
  await write('new.txt', 'new\n');
  await writeFile(path.join(repo.root, '.git/index.lock'), '');
  const before = await repo.state();

  const attempt = mergeWorktree(record, { ...repo.place, message: 'merge' });

  await expect(attempt).rejects.toMatchObject({ code: 'in-use' });
  expect(await repo.state()).toBe(before);
  await expect(repo.read('new.txt')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('line endings are those of the configuration, as in a checkout of git', async () => {
  await using repo = await repository();
  await repo.git('config', 'core.autocrlf', 'true');
  await repo.git('config', 'core.safecrlf', 'true');
  const { record, write } = await worktree(repo);
  await write('new.txt', 'one\r\ntwo\r\n');
  await write('a.txt', `${numbered(9).replaceAll('\n', '\r\n')}line 10\r\n`);

  expect(await worktreeState(record, repo.place)).toMatchObject({ additions: 3, deletions: 0 });
  await mergeWorktree(record, repo.place);

  expect(await repo.read('new.txt')).toBe('one\r\ntwo\r\n');
  expect(await repo.read('a.txt')).toBe(`${numbered(9).replaceAll('\n', '\r\n')}line 10\r\n`);
});

test.skipIf(process.platform === 'win32')(
  'git 2.25 does, from the start of a worktree to its end: no newer option or command is used',
  async () => {
    await using repo = await repository({ '.worktreeinclude': '.env\n', '.gitignore': '.env\n' });
    await repo.write('.env', 'x\n');
    await repo.write('a.txt', `${numbered(9)}of the user\n`);
    vi.stubEnv('PATH', await oldGitOnPath(repo.outside('bin')));
    try {
      const { record, cwd, release } = await openWorktree(
        repo.root,
        { name: 'fix', withChanges: true },
        repo.place,
      );
      await release();
      await writeFile(path.join(cwd, 'one.txt'), 'one\n');
      expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed', additions: 1 });
      expect((await worktreePatch(record, repo.place)).patch.toString()).toContain('+one');

      await mergeWorktree(record, { ...repo.place, message: 'one' });
      await writeFile(path.join(cwd, 'two.txt'), 'two\n');
      await removeWorktree(record, { ...repo.place, discards: true });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await repo.git('show', '--name-only', '--format=%s', 'HEAD')).toBe('one\n\none.txt');
    expect(await repo.git('show', 'refs/parley/saved/fix:two.txt')).toBe('two');
  },
);

test('merging again merges what came since, and nothing twice', async () => {
  await using repo = await repository();
  const { record, write } = await worktree(repo);
  await write('a.txt', `${numbered(9)}line 10\n`);
  await mergeWorktree(record, repo.place);
  await write('new.txt', 'new\n');

  expect(await worktreeState(record, repo.place)).toMatchObject({ state: 'changed' });
  expect(await mergeWorktree(record, repo.place)).toMatchObject({ files: 1, additions: 1 });
  expect(await mergeWorktree(record, repo.place)).toMatchObject({ files: 0 });
});
