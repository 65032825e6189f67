import { access, chmod, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findCheckout } from './checkout.ts';
import { mergeWorktree } from './merge-worktree.ts';
import { openWorktree } from './open-worktree.ts';
import { readRecord } from './record.ts';
import { removeWorktree } from './remove-worktree.ts';
import { numbered, repository, runInGit } from './repository.fixture.ts';
import { openScratch } from './scratch.ts';
import { recordsVersion, storeRace } from './store-progress.ts';
import { filesTree } from './trees.ts';
import { worktreeDiff } from './worktree-diff.ts';

test('a diff has committed and uncommitted changes, modes, links and binary files, and names what it leaves out', async () => {
  await using repo = await repository({ 'run.sh': 'x\n', 'gone.txt': 'x\n' });
  const { record, cwd, release } = await openWorktree(repo.root, { name: 'fix' }, repo.place);
  await release();
  await writeFile(path.join(cwd, 'a.txt'), `${numbered(9)}line 10\n`);
  await runInGit(cwd, 'rm', '-q', 'gone.txt');
  await runInGit(cwd, 'commit', '-q', '-a', '-m', 'in the worktree');
  await chmod(path.join(cwd, 'run.sh'), 0o755);
  await symlink('a.txt', path.join(cwd, 'link'));
  await writeFile(path.join(cwd, 'new.bin'), '\0\u0001');
  await writeFile(path.join(cwd, 'vast.txt'), 'x'.repeat(10 * 1024 * 1024 + 1));

  const { files, omitted } = await worktreeDiff(record, repo.place);

  expect(files).toMatchObject([
    { path: 'a.txt', status: 'modified', additions: 1, deletions: 0, hunks: [{}] },
    { path: 'gone.txt', status: 'deleted', oldMode: '100644' },
    { path: 'link', status: 'added', newMode: '120000', hunks: [{ lines: ['+a.txt', expect.anything()] }] },
    { path: 'new.bin', status: 'added', binary: true, hunks: [] },
    { path: 'run.sh', status: 'mode', oldMode: '100644', newMode: '100755' },
  ]);
  expect(omitted).toEqual([{ path: 'vast.txt', why: 'too-large' }]);
});

test('a submodule is looked at without running programs that its settings name', async () => {
  await using repo = await repository();
  const { record, cwd, release } = await openWorktree(repo.root, { name: 'fix' }, repo.place);
  await release();
  const module = path.join(cwd, 'module');
  await runInGit(cwd, 'init', '-q', module);
  await writeFile(path.join(module, 'a.txt'), 'a\n');
  await runInGit(module, 'add', 'a.txt');
  await runInGit(module, 'commit', '-q', '-m', 'first');
  await runInGit(cwd, 'add', 'module');
  const marker = repo.outside('ran');
  await runInGit(module, 'config', 'filter.x.clean', `touch "${marker}"; cat`);
  await runInGit(module, 'config', 'core.fsmonitor', `touch "${marker}"; false`);
  await writeFile(path.join(module, '.gitattributes'), '* filter=x\n');
  await utimes(path.join(module, 'a.txt'), 1, 1);

  const preview = await mergeWorktree(record, { ...repo.place, dryRun: true });

  await expect(access(marker)).rejects.toThrow('ENOENT');
  expect(preview).toMatchObject({ files: 1, changed: [{ path: 'module' }] });
  // Its commit is taken from where it is, not from the index.
  await runInGit(module, 'commit', '-q', '--allow-empty', '-m', 'second');
  await using scratch = await openScratch(await findCheckout(cwd));
  const { tree } = await filesTree(scratch, 'now', { without: repo.place.stateFolder });
  expect(await runInGit(cwd, 'ls-tree', tree, 'module')).toContain(
    await runInGit(module, 'rev-parse', 'HEAD'),
  );
});

test('a preview of a merge and of a removal touches nothing, and says what would happen', async () => {
  await using repo = await repository();
  const { record, cwd, release } = await openWorktree(repo.root, { name: 'fix' }, repo.place);
  await release();
  const unchanged = await removeWorktree(record, { ...repo.place, dryRun: true });
  await writeFile(path.join(cwd, 'new.txt'), 'new\n');
  const before = await repo.state();

  const merge = await mergeWorktree(record, { ...repo.place, dryRun: true });
  const removal = await removeWorktree(record, { ...repo.place, discards: true, dryRun: true });

  expect(unchanged).toEqual({});
  expect(merge).toMatchObject({ files: 1, changed: [{ path: 'new.txt', additions: 1, deletions: 0 }] });
  expect(removal).toEqual({ savedAs: 'refs/parley/saved/fix' });
  expect(await repo.state()).toBe(before);
  expect(await repo.git('status', '--porcelain')).toBe('');
});

test('what a runner does is stored within bounds, survives a merge, and brings no removed worktree back', async () => {
  await using repo = await repository();
  const { record, release } = await openWorktree(repo.root, { name: 'fix' }, repo.place);
  await release();
  const folder = path.dirname(record.path);
  const race = { id: 'race', agent: 'a', prompt: '€'.repeat(100_000), startedAt: 1 };
  const version = await recordsVersion(repo.place);

  const check = { exitCode: 1, seconds: 1, output: `${'x'.repeat(100_000)}end` };
  await storeRace(record, { ...race, state: 'ended', check });
  await mergeWorktree(record, repo.place);

  const stored = (await readRecord(folder, 'fix'))?.race;
  expect(stored).toMatchObject({ id: 'race', state: 'ended', prompt: '€'.repeat(2000) });
  expect(stored?.check?.output).toMatch(/^x{1997}end$/u);
  expect(await recordsVersion(repo.place)).not.toBe(version);
  await removeWorktree(record, repo.place);
  await storeRace(record, { ...race, state: 'running' });
  expect(await readRecord(folder, 'fix')).toBeUndefined();
});
