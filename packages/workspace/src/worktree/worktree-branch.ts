import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gitLine, runGit, type GitOptions } from '../git/run-git.ts';

/** What the record of a worktree says about its branch. */
interface RecordedBranch {
  readonly branch: string;
  readonly gitDir?: string;
  readonly repository: string;
}

/** The current name of the branch of a worktree, which its user may have renamed with git. */
export async function branchOf({ branch, gitDir, repository }: RecordedBranch): Promise<string> {
  if (gitDir === undefined) return branch;
  const head = await readFile(path.join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  // Usually: no git process has to run.
  if (head === '' || head.trim() === `ref: refs/heads/${branch}`) return branch;
  const git = { cwd: repository, env: { GIT_DIR: gitDir }, statuses: [0, 1, 128] };
  // Without git, what needs the branch reports that.
  return (await renamedTo(branch, git).catch(() => undefined)) ?? branch;
}

/** Undefined where the branch exists, or was deleted: another branch that is checked out is not the one of the worktree. */
async function renamedTo(branch: string, git: GitOptions): Promise<string | undefined> {
  const { status } = await runGit(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], git);
  if (status === 0) return undefined;
  const ref = await gitLine(['symbolic-ref', '--quiet', 'HEAD'], git);
  if (!ref.startsWith('refs/heads/')) return undefined;
  const reflog = await gitLine(['log', '-g', '--format=%gs', ref, '--'], git);
  const renaming = `Branch: renamed refs/heads/${branch} to `;
  return reflog.split('\n').some((line) => line.startsWith(renaming))
    ? ref.slice('refs/heads/'.length)
    : undefined;
}
