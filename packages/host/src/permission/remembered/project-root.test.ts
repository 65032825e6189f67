import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openWorktree } from '@parley/workspace/worktree';
import { expect, test } from 'vitest';
import { projectRoot } from './project-root.ts';

test('a worktree of the state folder is part of the repository that it came from, also without its .git file', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-project-')));
  try {
    const project = path.join(folder, 'project');
    await mkdir(path.join(project, 'sub'), { recursive: true });
    const git = (...words: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
        cwd: project,
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const stateFolder = path.join(folder, 'state');
    const { record, cwd } = await openWorktree(path.join(project, 'sub'), {}, { stateFolder });

    expect(await projectRoot(cwd, stateFolder)).toBe(project);
    expect(await projectRoot(cwd)).toBe(record.path);
    await rm(path.join(record.path, '.git'));
    expect(await projectRoot(cwd, stateFolder)).toBe(project);
    expect(await projectRoot(project, stateFolder)).toBe(project);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
