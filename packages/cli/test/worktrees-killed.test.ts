import { execFileSync } from 'node:child_process';
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listWorktrees, worktreeState } from '@parley/workspace/worktree';
import { expect, test } from 'vitest';
import { parleyAlone } from './command.ts';
import { testRepository, type TestRepository } from './repository.ts';

/** Kills at every fifth git command; where `PARLEY_KILLS` is set, at each. */
const stride = process.env['PARLEY_KILLS'] === undefined ? 5 : 1;

/** Runs `parley` and kills it when it starts its n-th git. Gives whether it came that far. */
async function killedAt(count: number, words: readonly string[], repo: TestRepository): Promise<boolean> {
  const folder = path.join(repo.home, 'killing');
  const counter = path.join(repo.home, 'git-count');
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  await mkdir(folder, { recursive: true });
  await writeFile(counter, '');
  const script = [
    '#!/bin/sh',
    `echo >> '${counter}'`,
    `if [ "$(wc -l < '${counter}')" -eq ${String(count)} ]; then kill -9 $PPID; exit 1; fi`,
    `exec '${git}' "$@"`,
  ];
  await writeFile(path.join(folder, 'git'), `${script.join('\n')}\n`);
  await chmod(path.join(folder, 'git'), 0o755);
  const { status } = await parleyAlone(words, {
    cwd: repo.path,
    env: { PARLEY_HOME: repo.home, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  });
  return status === null;
}

async function recordsOf({ path: cwd, home }: TestRepository) {
  return listWorktrees(cwd, {
    stateFolder: home,
    onDamaged: (error) => {
      throw error;
    },
  });
}

test.skipIf(process.platform === 'win32')(
  'killed at git commands, a worktree is made, merged and removed by doing it again, and no change is lost',
  async () => {
    await using repo = await testRepository({ '.worktreeinclude': 'local\n', '.gitignore': 'local\n' });
    await writeFile(path.join(repo.path, 'a.txt'), 'edited\n');
    await writeFile(path.join(repo.path, 'local'), 'x\n');
    const status = await repo.git('status', '--porcelain');
    const begin = ['run', '--worktree=k', '--approve', 'edits', 'write new.txt: new'];

    let count = 1;
    while (await killedAt(count, [...begin, '--with-changes'], repo)) {
      expect((await recordsOf(repo)).length).toBeLessThan(2);
      expect(await repo.git('status', '--porcelain')).toBe(status);
      const [left] = await recordsOf(repo);
      // Once the agent may have worked there, it goes on.
      if (left?.isReady === true) break;
      count += stride;
    }
    expect(count).toBeGreaterThan(5);
    await repo.parley(begin);
    const [made] = await recordsOf(repo);
    if (made === undefined) throw new Error('there is no worktree');
    const inWorktree = (name: string): string => path.join(made.path, name);
    expect(await readFile(inWorktree('a.txt'), 'utf8')).toBe('edited\n');
    expect(await readFile(inWorktree('local'), 'utf8')).toBe('x\n');
    expect(await readFile(inWorktree('new.txt'), 'utf8')).toBe('new');
    expect(await worktreeState(made, { stateFolder: repo.home })).toMatchObject({
      state: 'changed',
      files: 1,
    });

    for (count = 1; await killedAt(count, ['worktrees', 'merge', 'k'], repo); count += stride) {
      expect(await readFile(inWorktree('new.txt'), 'utf8')).toBe('new');
      expect(await readFile(path.join(repo.path, 'a.txt'), 'utf8')).toBe('edited\n');
    }
    expect(count).toBeGreaterThan(5);
    expect(await readFile(path.join(repo.path, 'new.txt'), 'utf8')).toBe('new');

    await writeFile(inWorktree('more.txt'), 'more\n');
    for (count = 1; await killedAt(count, ['worktrees', 'remove', 'k', '--discard'], repo); count += stride) {
      const isThere = await access(inWorktree('more.txt')).then(
        () => true,
        () => false,
      );
      if (!isThere) expect(await repo.git('show', 'refs/parley/saved/k:more.txt')).toBe('more');
    }
    expect(count).toBeGreaterThan(5);
    expect(await recordsOf(repo)).toEqual([]);
    expect(await repo.git('show', 'refs/parley/saved/k:more.txt')).toBe('more');
    expect(await repo.git('branch', '--list', 'parley/*')).toBe('');
    expect((await repo.git('worktree', 'list')).split('\n')).toHaveLength(1);
  },
);
