import { fromRecords, gitLine, runGit, toRecords, type GitOptions } from '../git/run-git.ts';
import type { WorkingTree } from './checkout.ts';
import { mergeTrees } from './merge-trees.ts';
import type { WorktreePlace, WorktreeRecord } from './record.ts';
import { copyIndex, openScratch, type Scratch } from './scratch.ts';
import {
  addFiles,
  changedPaths,
  countChanges,
  filesTree,
  patchOf,
  treeOf,
  writeTree,
  type ChangeCount,
  type FilesTree,
} from './trees.ts';
import { checkoutGone, isFolder, repositoryGone, troubleError, unfinished } from './trouble.ts';

/** The state of a worktree relative to its base and to the checkout. */
export interface WorktreeState extends ChangeCount {
  /** `merged`: all changes also exist elsewhere. */
  readonly state: 'clean' | 'changed' | 'merged';
  /** Repositories in it that are not part of it, and that no patch contains. Each character is a byte. */
  readonly repositories: readonly string[];
}

/** A patch of the changes, and what it does not contain. */
export interface WorktreePatch {
  readonly patch: Buffer;
  readonly repositories: readonly string[];
}

/** Returns the state of a worktree. Changes nothing. */
export async function worktreeState(record: WorktreeRecord, place: WorktreePlace): Promise<WorktreeState> {
  if (!record.isReady) return { state: 'clean', files: 0, additions: 0, deletions: 0, repositories: [] };
  const tree = await workingTreeOf(record);
  await using scratch = await openScratch(tree, { forgets: true });
  const now = await worktreeTree(record, scratch, place);
  const count = await countChanges(record.start, now.tree, scratch.git('now'));
  const isUnchanged =
    count.files === 0 && now.repositories.length === 0 && !(await hasOwnCommits(record, scratch.git('now')));
  const isMerged = !isUnchanged && (await isElsewhere(record, now, scratch));
  return {
    state: isUnchanged ? 'clean' : isMerged ? 'merged' : 'changed',
    ...count,
    repositories: now.repositories,
  };
}

/** Returns the patch of a worktree relative to its base, for `git apply`. Changes nothing. */
export async function worktreePatch(record: WorktreeRecord, place: WorktreePlace): Promise<WorktreePatch> {
  const tree = await workingTreeOf(record);
  await using scratch = await openScratch(tree, { forgets: true });
  const now = await worktreeTree(record, scratch, place);
  return {
    patch: await patchOf(record.start, now.tree, scratch.git('now')),
    repositories: now.repositories,
  };
}

/** The working tree of a worktree. @throws {WorkspaceError} `not-found`: its repository no longer exists, or it was not created. */
export async function workingTreeOf(record: WorktreeRecord): Promise<WorkingTree> {
  const { path, gitDir, repository } = record;
  const hasFolder = await isFolder(path);
  if (!(await isFolder(repository))) throw troubleError(record, repositoryGone(record, hasFolder));
  if (gitDir === undefined) throw troubleError(record, unfinished(record));
  const root = hasFolder ? path : repository;
  // git removes its own folder of a worktree some time after the worktree's.
  return { root, gitDir: (await isFolder(gitDir)) ? gitDir : repository, repository };
}

/** The files of a worktree. If its folder was removed: with the commits of its branch; if that was removed, too: with its last commit. */
export async function worktreeTree(
  record: WorktreeRecord,
  scratch: Scratch,
  { stateFolder }: WorktreePlace,
): Promise<FilesTree> {
  if (await isFolder(record.path)) return filesTree(scratch, 'now', { without: stateFolder });
  const commit = (await tipOf(record)) ?? (await headOf(record, scratch.git('now')));
  return { tree: await committedTree(record, commit, scratch), repositories: [] };
}

/** The files that a worktree started with, as its commits have changed them: what was brought along need not be committed. */
async function committedTree(record: WorktreeRecord, commit: string, scratch: Scratch): Promise<string> {
  const git = scratch.git('committed');
  const [base, tip] = [await treeOf(record.base, git), await treeOf(commit, git)];
  if (record.start === base) return tip;
  const { stdout } = await runGit(['diff-tree', '-r', '-z', '--no-renames', base, tip], git);
  const fields = toRecords(stdout);
  const changed = fields.flatMap((field, index) => {
    const [, mode, id] = /^:\d+ (\d+) [\da-f]+ ([\da-f]+) /u.exec(field) ?? [];
    if (index % 2 === 1 || mode === undefined || id === undefined) return [];
    return [{ isDeleted: /^0+$/u.test(id), entry: `${mode} ${id}\t${fields[index + 1] ?? ''}` }];
  });
  await runGit(['read-tree', record.start], git);
  // A folder that became a file goes first.
  const entries = [...changed.filter((each) => each.isDeleted), ...changed.filter((each) => !each.isDeleted)];
  await runGit(['update-index', '--replace', '-z', '--index-info'], {
    ...git,
    input: fromRecords(entries.map(({ entry }) => entry)),
  });
  return writeTree(git);
}

/** git in the repository of a worktree, without a working tree. */
export function repositoryIn({ repository }: Pick<WorktreeRecord, 'repository'>): GitOptions {
  return { cwd: repository, env: { GIT_DIR: repository } };
}

/** The working tree from which a worktree came. @throws {WorkspaceError} `not-found` */
export async function checkoutOf(record: WorktreeRecord): Promise<WorkingTree> {
  const { checkout, checkoutGitDir: gitDir, repository } = record;
  if ((await isFolder(checkout)) && (await isFolder(gitDir))) return { root: checkout, gitDir, repository };
  // If the repository was removed as well, the advice is different.
  await workingTreeOf(record);
  throw troubleError(record, checkoutGone(record));
}

/** The tree of a working tree, right for these paths; undefined while the user resolves conflicts in it. */
export async function treeWith(
  paths: readonly string[],
  scratch: Scratch,
  index: string,
): Promise<string | undefined> {
  const git = scratch.git(index);
  await copyIndex(scratch, index);
  const { stdout } = await runGit(['ls-files', '-z', '-u'], git);
  if (stdout.length > 0) return undefined;
  await addFiles(paths, git);
  return writeTree(git);
}

/** Whether all that a worktree has beyond its base can be found elsewhere: in a commit of another branch, or in the checkout. */
export async function isElsewhere(
  record: WorktreeRecord,
  now: FilesTree,
  scratch: Scratch,
): Promise<boolean> {
  if (now.repositories.length > 0) return false;
  const git = scratch.git('now');
  const head = await headOf(record, git);
  const isCommitted = !(await isFolder(record.path)) || (await treeOf(head, git)) === now.tree;
  if (!(await tipIsIn(record, head, git))) return false;
  if (isCommitted && (await isOnOtherBranch(head, record, git))) return true;
  const { merged } = record;
  if (merged?.commit !== undefined && merged.tree === now.tree) {
    if (await isOnOtherBranch(merged.commit, record, git)) return true;
  }
  return isInCheckout(record, now, scratch);
}

/** Whether commits were made on the branch of a worktree, or in it. */
async function hasOwnCommits(record: WorktreeRecord, git: GitOptions): Promise<boolean> {
  const head = await headOf(record, git);
  return head !== record.base || !(await tipIsIn(record, head, git));
}

/** The commit that is checked out in a worktree; if its folder was removed, the commit of its branch. */
export async function headOf(record: WorktreeRecord, git: GitOptions): Promise<string> {
  // Without git's folder of the worktree, HEAD is the one of the checkout.
  if (record.gitDir !== undefined && (await isFolder(record.gitDir))) {
    const { status, stdout } = await runGit(['rev-parse', '--verify', '--quiet', 'HEAD'], {
      ...git,
      statuses: [0, 1, 128],
    });
    if (status === 0) return stdout.toString().trim();
  }
  return (await tipOf(record)) ?? record.base;
}

/** The last commit of the branch of a worktree; undefined if the branch no longer exists. */
export async function tipOf(record: WorktreeRecord): Promise<string | undefined> {
  const { status, stdout } = await runGit(
    ['rev-parse', '--verify', '--quiet', `refs/heads/${record.branch}`],
    { ...repositoryIn(record), statuses: [0, 1] },
  );
  return status === 0 ? stdout.toString().trim() : undefined;
}

/** Whether the checked-out commit descends from the branch: otherwise the working tree lacks the branch's commits. */
async function tipIsIn(record: WorktreeRecord, head: string, git: GitOptions): Promise<boolean> {
  const tip = await tipOf(record);
  if (tip === undefined || tip === head) return true;
  const { status } = await runGit(['merge-base', '--is-ancestor', tip, head], { ...git, statuses: [0, 1] });
  return status === 0;
}

async function isOnOtherBranch(
  commit: string,
  { branch }: WorktreeRecord,
  git: GitOptions,
): Promise<boolean> {
  const refs = await gitLine(
    [
      'for-each-ref',
      `--contains=${commit}`,
      '--format=%(refname)',
      'refs/heads',
      'refs/remotes',
      'refs/tags',
    ],
    git,
  );
  return refs.split('\n').some((ref) => ref !== '' && ref !== `refs/heads/${branch}`);
}

/** Whether merging into the checkout, as its files are now, would change nothing. */
async function isInCheckout(record: WorktreeRecord, now: FilesTree, scratch: Scratch): Promise<boolean> {
  if (!(await isFolder(record.checkout)) || !(await isFolder(record.checkoutGitDir))) return false;
  const git = scratch.git('now');
  const base = await treeOf(record.base, git);
  const paths = await changedPaths(base, now.tree, git);
  await using beside = await openScratch(await checkoutOf(record), { beside: scratch });
  const ours = await treeWith(paths, beside, 'ours');
  if (ours === undefined) return false;
  const merge = await mergeTrees({ base, ours, theirs: now.tree }, beside, 'merge');
  return merge.isClean && merge.tree === ours;
}
