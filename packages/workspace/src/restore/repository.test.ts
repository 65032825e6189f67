import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openCheckpoints } from '../checkpoint/checkpoints.ts';
import { type Repository, numbered, repository } from '../worktree/repository.fixture.ts';
import { type RestorePlan, planRestore } from './plan.ts';
import { readDisk } from './read-disk.ts';
import { applyRestore } from './transaction/apply.ts';
import { readTree, shown } from './tree.fixture.ts';

/** A turn in a repository that has a stash, staged and unstaged changes, and a hook. */
async function turn(repo: Repository) {
  await repo.write('a.txt', 'stashed\n');
  await repo.git('stash');
  await repo.write('staged.txt', 'staged\n');
  await repo.git('add', 'staged.txt');
  await repo.write('unstaged.txt', 'unstaged\n');
  await mkdir(`${repo.root}/.git/hooks`, { recursive: true });
  await writeFile(`${repo.root}/.git/hooks/post-checkout`, '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
  const stateDir = repo.place.stateFolder;
  const checkpoints = await openCheckpoints({ workspace: repo.root, stateDir });
  const before = await checkpoints.take();
  await repo.write('a.txt', numbered(9).replace('line 2', 'by the agent'));
  await repo.write('new/file.txt', 'new\n');
  await chmod(`${repo.root}/staged.txt`, 0o600);
  await rm(`${repo.root}/unstaged.txt`);
  const after = await checkpoints.take();
  const plan = async (from: string, to: string): Promise<RestorePlan> => {
    const changes = await checkpoints.compare(from, to);
    const current = await readDisk({ workspace: repo.root, changes });
    return planRestore({ changes, current, read: (blob) => checkpoints.read(blob) });
  };
  const apply = async (restore: RestorePlan) => applyRestore(restore, { workspace: repo.root, stateDir });
  return { checkpoints, before, after, plan, apply };
}

async function gitFolder(repo: Repository): Promise<Record<string, string>> {
  return shown(await readTree(`${repo.root}/.git`));
}

async function files(repo: Repository): Promise<Record<string, string>> {
  return shown(await readTree(repo.root));
}

test('undo and redo leave the repository as it is, byte by byte', async () => {
  await using repo = await repository();
  const { checkpoints, before, after, plan, apply } = await turn(repo);
  await using held = checkpoints;
  const [git, changed] = [await gitFolder(repo), await files(repo)];
  await apply(await plan(before.id, after.id));
  const undone = await held.take();
  expect(undone.id).toBe(before.id);
  await apply(await plan(after.id, undone.id));
  expect(await files(repo)).toEqual(changed);
  expect(await gitFolder(repo)).toEqual(git);
});

test('after a switch, a rebase, a garbage collection or the end of the repository, undo goes by what is on the disk', async () => {
  await using repo = await repository();
  const { checkpoints, before, after, plan, apply } = await turn(repo);
  await using _held = checkpoints;
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'all');
  await repo.git('checkout', '-q', '-b', 'other', 'HEAD^');
  // Its files are those of the first commit now: nothing of the turn is there.
  const switched = await plan(before.id, after.id);
  expect(switched.conflicts.map(({ path }) => path)).toEqual(['staged.txt']);
  await repo.git('commit', '-q', '--allow-empty', '-m', 'other');
  await repo.git('checkout', '-q', 'main');
  await repo.git('rebase', '-q', 'other');
  await repo.git('reflog', 'expire', '--expire=now', '--all');
  await repo.git('gc', '-q', '--prune=now');
  await rename(`${repo.root}/.git`, repo.outside('deleted'));
  await chmod(`${repo.root}/staged.txt`, 0o600);
  await apply(await plan(before.id, after.id));
  expect(await repo.read('a.txt')).toBe(numbered(9));
  expect(await repo.read('unstaged.txt')).toBe('unstaged\n');
  expect(Object.keys(await files(repo))).not.toContain('new');
});
