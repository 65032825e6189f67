import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listWorktrees } from './find-worktrees.ts';
import { mergeWorktree } from './merge-worktree.ts';
import { openWorktree } from './open-worktree.ts';
import { writeRecord, type WorktreeRecord } from './record.ts';
import { removeWorktree } from './remove-worktree.ts';
import { repository, runInGit, type Repository } from './repository.fixture.ts';
import { worktreeTrouble } from './trouble.ts';
import { worktreePatch, worktreeState } from './worktree-state.ts';

const onDamaged = (): void => undefined;

/** A worktree in which a session has changed something. */
async function changedWorktree(repo: Repository, from = repo.root): Promise<WorktreeRecord> {
  const { record, cwd, release } = await openWorktree(from, { name: 'fix' }, repo.place);
  await release();
  await writeFile(path.join(cwd, 'one.txt'), 'one\n');
  return record;
}

test('a worktree follows its repository that was moved: it is listed, goes on, is merged and removed there', async () => {
  await using repo = await repository();
  const record = await changedWorktree(repo);
  const moved = repo.outside('elsewhere', 'moved');
  await mkdir(path.dirname(moved));
  await rename(repo.root, moved);

  expect(await worktreeTrouble(record)).toMatchObject({
    message: expect.stringContaining(`no longer exists: ${repo.root}`) as string,
    advice: expect.stringContaining('in its new folder') as string,
  });
  const [followed] = await listWorktrees(moved, { ...repo.place, onDamaged });
  if (followed === undefined) throw new Error('it is not listed');
  expect(followed).toMatchObject({ name: 'fix', path: record.path, checkout: moved });
  expect(await worktreeTrouble(followed)).toBeUndefined();
  expect(await worktreeState(followed, repo.place)).toMatchObject({ state: 'changed', additions: 1 });
  // git works in its folder again.
  expect(await runInGit(record.path, 'status', '--porcelain')).toBe('?? one.txt');

  const again = await openWorktree(moved, { name: 'fix' }, repo.place);
  expect(again).toMatchObject({ isNew: false, cwd: record.path });
  await again.release();
  expect(await mergeWorktree(followed, repo.place)).toMatchObject({ checkout: moved, files: 1 });
  expect(await readFile(path.join(moved, 'one.txt'), 'utf8')).toBe('one\n');
  await removeWorktree(followed, repo.place);
  expect(await listWorktrees(moved, { ...repo.place, onDamaged })).toEqual([]);
  expect(await runInGit(moved, 'branch', '--list', 'parley/*')).toBe('');
});

test('another repository does not take over the worktree of one that is gone', async () => {
  await using repo = await repository();
  await using other = await repository();
  const record = await changedWorktree(repo);
  await rename(repo.root, repo.outside('moved'));

  expect(await listWorktrees(other.root, { ...repo.place, onDamaged })).toEqual([]);
  expect(await readFile(path.join(record.path, '.git'), 'utf8')).toContain(repo.root);
});

test('a worktree whose repository was deleted keeps its files until the user has removed them', async () => {
  await using repo = await repository();
  const record = await changedWorktree(repo);
  await rm(repo.root, { recursive: true });

  expect(await listWorktrees(repo.outside(), { ...repo.place, onDamaged })).toMatchObject([{ name: 'fix' }]);
  for (const discards of [false, true]) {
    await expect(removeWorktree(record, { ...repo.place, discards })).rejects.toMatchObject({
      code: 'unsaved',
      message: expect.stringMatching(/copy what you need out of .* Nothing was removed/u) as string,
    });
  }
  expect(await readFile(path.join(record.path, 'one.txt'), 'utf8')).toBe('one\n');
  const advice = 'parley worktrees remove fix';
  for (const attempt of [worktreePatch(record, repo.place), mergeWorktree(record, repo.place)]) {
    await expect(attempt).rejects.toMatchObject({ message: expect.stringContaining(advice) as string });
  }

  await rm(record.path, { recursive: true });
  expect(await worktreeTrouble(record)).toMatchObject({ advice: `run: ${advice}` });
  await removeWorktree(record, repo.place);
  expect(await listWorktrees(repo.outside(), { ...repo.place, onDamaged })).toEqual([]);
});

test('a worktree whose folder is gone, and one whose checkout is gone, say what to do', async () => {
  await using repo = await repository();
  const linked = repo.outside('linked');
  await repo.git('worktree', 'add', '-q', '-b', 'other', linked);
  const record = await changedWorktree(repo, linked);
  await repo.git('worktree', 'remove', '--force', linked);

  expect(await worktreeTrouble(record)).toMatchObject({
    message: `the worktree "fix" came from ${linked}, which no longer exists`,
  });
  await expect(mergeWorktree(record, repo.place)).rejects.toMatchObject({
    message: expect.stringContaining('"parley worktrees show fix" prints its changes') as string,
  });
  expect((await worktreePatch(record, repo.place)).patch.toString()).toContain('+one');

  await rm(record.path, { recursive: true });
  expect(await worktreeTrouble(record)).toMatchObject({
    message: `the folder of the worktree "fix" no longer exists: ${record.path}`,
  });
  await expect(openWorktree(repo.root, { name: 'fix' }, repo.place)).rejects.toMatchObject({
    message: expect.stringContaining('parley worktrees remove fix') as string,
  });
});

test('a worktree that was not created completely says so, and goes also when its repository is gone', async () => {
  await using repo = await repository();
  const { record, release } = await openWorktree(repo.root, { name: 'fix' }, repo.place);
  const { gitDir: _gitDir, ...begun } = record;
  const left = { ...begun, isReady: false };
  await writeRecord(left);
  // While a process makes it, nothing is wrong.
  expect(await worktreeTrouble(left)).toBeUndefined();
  await release();

  expect(await worktreeTrouble(left)).toMatchObject({
    message: 'the worktree "fix" was not created completely',
  });
  await expect(mergeWorktree(left, repo.place)).rejects.toMatchObject({
    message: expect.stringContaining('"parley worktrees remove fix" removes what is there') as string,
  });
  await rm(repo.root, { recursive: true });
  await removeWorktree(left, repo.place);
  expect(await stat(record.path).catch(() => 'gone')).toBe('gone');
});

test('a damaged record is reported with what to do, and hides no other', async () => {
  await using repo = await repository();
  const record = await changedWorktree(repo);
  const file = path.join(path.dirname(record.path), '.records', 'bad.json');
  await writeFile(file, '{');
  const damaged: string[] = [];

  const listed = await listWorktrees(repo.root, {
    ...repo.place,
    onDamaged: ({ message }) => damaged.push(message),
  });

  expect(listed).toMatchObject([{ name: 'fix' }]);
  expect(damaged).toEqual([expect.stringContaining('delete this file')]);
});
