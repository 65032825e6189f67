import { rm } from 'node:fs/promises';
import { WorkspaceError } from '../error.ts';
import { gitLine, runGit, toText } from '../git/run-git.ts';
import { repositoryOf, type CheckoutFolder } from './checkout.ts';
import { includeFiles } from './include-files.ts';
import { mergeTrees } from './merge-trees.ts';
import { removeRecord, writeRecord, type NamedWorktree, type WorktreeRecord } from './record.ts';
import { copyIndex, openScratch } from './scratch.ts';
import { filesTree, treeOf } from './trees.ts';

/** How a new worktree begins. */
export interface WorktreeBeginning {
  /** A commit, as git names it. @default HEAD */
  readonly base?: string;
  /** Brings the uncommitted changes along; in the checkout they stay. @default false */
  readonly withChanges?: boolean;
}

/** Where a worktree is made, and the record of an earlier attempt that was killed. */
export interface CreateWorktreeOptions {
  readonly checkout: CheckoutFolder;
  readonly stateFolder: string;
  readonly left?: WorktreeRecord;
}

/** A new worktree, and what was left out of it. */
export interface CreatedWorktree {
  readonly record: WorktreeRecord;
  readonly notes: readonly string[];
}

/**
 * Makes a worktree on a branch of its own. Its record is written first: a kill at any moment leaves nothing that is not listed.
 * No hook runs: with `--base` the files of another branch would choose it.
 */
export async function createWorktree(
  named: NamedWorktree,
  { base: baseRef = 'HEAD', withChanges = false }: WorktreeBeginning,
  { checkout, stateFolder, left }: CreateWorktreeOptions,
): Promise<CreatedWorktree> {
  if (left !== undefined) await discard(left);
  const git = repositoryOf(checkout);
  const base = await commitOf(baseRef, checkout);
  const baseTree = await treeOf(base, git);
  await checkBranch(named, checkout);
  const begun: WorktreeRecord = {
    ...named,
    repository: checkout.repository,
    checkout: checkout.root,
    checkoutGitDir: checkout.gitDir,
    base,
    baseRef,
    start: baseTree,
    createdAt: Date.now(),
    isReady: false,
  };
  const brought = withChanges ? await changesOn(baseTree, { checkout, stateFolder }) : undefined;
  await writeRecord(begun);
  try {
    await runGit(['worktree', 'add', '--no-track', '-b', named.branch, named.path, base], git);
    const gitDir = await gitLine(['rev-parse', '--absolute-git-dir'], { cwd: named.path });
    const made = { root: named.path, gitDir, repository: checkout.repository };
    await using scratch = await openScratch(made);
    let start = brought?.tree ?? baseTree;
    if (start !== baseTree) {
      await copyIndex(scratch, 'brought');
      await runGit(
        ['read-tree', '--no-sparse-checkout', '-m', '-u', baseTree, start],
        scratch.git('brought'),
      );
    }
    if (await includeFiles(checkout, named.path, { without: stateFolder })) {
      // A copied file that git does not ignore is no change of the session's.
      start = (await filesTree(scratch, 'included', { without: stateFolder })).tree;
    }
    if (start !== baseTree) {
      const commit = await commitTree(start, [base], `start of the worktree ${named.name}`, checkout);
      await runGit(['update-ref', startRef(named), commit], git);
    }
    const record = { ...begun, gitDir, start, isReady: true };
    await writeRecord(record);
    const notes = (brought?.repositories ?? []).map(
      (folder) => `not brought along, as it is a repository of its own: ${toText(folder)}`,
    );
    return { record, notes };
  } catch (error) {
    await discard(begun).catch(() => undefined);
    throw error;
  }
}

/** Keeps what a worktree began from out of reach of `git gc`, where that is no commit of the user's. */
export function startRef({ name }: NamedWorktree): string {
  return `refs/parley/start/${name}`;
}

/** Makes a commit of ours, on no branch. It needs no name of the user's, and is not signed. */
export function commitTree(
  tree: string,
  parents: readonly string[],
  message: string,
  checkout: Parameters<typeof repositoryOf>[0],
): Promise<string> {
  const { cwd, env } = repositoryOf(checkout);
  const author = { GIT_AUTHOR_NAME: 'Parley', GIT_AUTHOR_EMAIL: 'parley@localhost' };
  const committer = { GIT_COMMITTER_NAME: 'Parley', GIT_COMMITTER_EMAIL: 'parley@localhost' };
  return gitLine(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
    cwd,
    env: { ...env, ...author, ...committer },
    input: `${message}\n`,
  });
}

async function commitOf(ref: string, checkout: CheckoutFolder): Promise<string> {
  const git = repositoryOf(checkout);
  // A ref that begins with "-" would be an option; git allows no such ref.
  const { status, stdout } = ref.startsWith('-')
    ? { status: 1, stdout: '' }
    : await runGit(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
        ...git,
        statuses: [0, 1, 128],
      });
  if (status === 0) return stdout.toString().trim();
  const reason =
    ref === 'HEAD'
      ? `${checkout.root} has no commit yet: a worktree begins from one; make a first commit`
      : `${JSON.stringify(ref)} is not a commit in ${checkout.root}`;
  throw new WorkspaceError('invalid-name', reason);
}

async function checkBranch({ name, branch }: NamedWorktree, checkout: CheckoutFolder): Promise<void> {
  if (await hasBranch(branch, checkout)) {
    throw new WorkspaceError(
      'exists',
      `the branch ${branch} already exists without a worktree "${name}" of Parley; use another name, or rename the branch`,
    );
  }
  // git stores branches as files: one cannot be a folder, too.
  const [parent = ''] = branch.split('/', 1);
  if (await hasBranch(parent, checkout)) {
    throw new WorkspaceError(
      'exists',
      `git cannot make the branch ${branch}, as there is a branch "${parent}"; rename that branch: git branch -m ${parent} NEW`,
    );
  }
}

async function hasBranch(branch: string, checkout: CheckoutFolder): Promise<boolean> {
  const { status } = await runGit(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], {
    ...repositoryOf(checkout),
    statuses: [0, 1],
  });
  return status === 0;
}

/** The base with the uncommitted changes of the checkout. */
async function changesOn(
  baseTree: string,
  { checkout, stateFolder }: CreateWorktreeOptions,
): Promise<{ readonly tree: string; readonly repositories: readonly string[] }> {
  await using scratch = await openScratch(checkout);
  const now = await filesTree(scratch, 'now', { without: stateFolder });
  const head = await treeOf('HEAD', repositoryOf(checkout));
  const merge = await mergeTrees({ base: head, ours: baseTree, theirs: now.tree }, scratch, 'merge');
  if (merge.isClean) return { tree: merge.tree, repositories: now.repositories };
  throw new WorkspaceError(
    'conflict',
    `the uncommitted changes do not fit onto --base: ${merge.conflicts.map(toText).join(', ')}; nothing was changed`,
  );
}

/** Removes what an attempt has left that did not end. No session has worked in it. */
async function discard(record: WorktreeRecord): Promise<void> {
  const git = { cwd: record.repository, env: { GIT_DIR: record.repository } };
  await rm(record.path, { recursive: true, force: true, maxRetries: 3 });
  await runGit(['worktree', 'remove', '--force', record.path], { ...git, statuses: [0, 128] });
  // Only if it was not changed since it was created.
  await runGit(['update-ref', '-d', `refs/heads/${record.branch}`, record.base], {
    ...git,
    statuses: [0, 1, 128],
  });
  await runGit(['update-ref', '-d', startRef(record)], { ...git, statuses: [0, 1, 128] });
  await removeRecord(record);
}
