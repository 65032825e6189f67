import path from 'node:path';
import { followInIndex } from '../commit/follow-in-index.ts';
import { checkIndexFree, isUnderWay } from '../commit/under-way.ts';
import { WorkspaceError } from '../error.ts';
import { gitLine, runGit, toText } from '../git/run-git.ts';
import { repositoryOf, type WorkingTree } from './checkout.ts';
import { mergeTrees, type MergedTrees } from './merge-trees.ts';
import { changeRecord, type WorktreePlace, type WorktreeRecord } from './record.ts';
import { whileLocked } from './repository-lock.ts';
import { openScratch, type Scratch } from './scratch.ts';
import { changedPaths, countedFiles, sumOf, treeOf, type ChangeCount, type CountedFile } from './trees.ts';
import { checkoutOf, treeWith, workingTreeOf, worktreeTree } from './worktree-state.ts';

/** Options of a merge. */
export interface MergeWorktreeOptions extends WorktreePlace {
  /** Creates one commit with this message. @default the changes stay uncommitted */
  readonly message?: string;
  /** Whether nothing is changed. @default false */
  readonly dryRun?: boolean;
}

/** The effect of a merge on the checkout. */
export interface WorktreeMerge extends ChangeCount {
  readonly checkout: string;
  readonly commit?: string;
  /** The files of the commit; without one, the changed files of the checkout. */
  readonly changed: readonly CountedFile[];
  /** Repositories in the worktree that are not part of it, and were not merged. Each character is a byte. */
  readonly repositories: readonly string[];
}

/**
 * Merges the changes of a worktree into its original checkout: its current files, committed or not. Other changes of
 * the user remain. After a kill, at most a part of the files is merged; merging again completes it.
 *
 * @throws {WorkspaceError} `conflict`: nothing was changed.
 */
export async function mergeWorktree(
  record: WorktreeRecord,
  options: MergeWorktreeOptions,
): Promise<WorktreeMerge> {
  return whileLocked(path.dirname(record.path), async () => {
    const checkout = await checkoutOf(record);
    const inCheckout = repositoryOf(checkout);
    await using worktree = await openScratch(await workingTreeOf(record));
    const { tree: theirs, repositories } = await worktreeTree(record, worktree, options);
    await using scratch = await openScratch(checkout);
    const paths = await changedPaths(record.start, theirs, inCheckout);
    const ours = await treeWith(paths, scratch, 'files');
    if (ours === undefined) throw underWay(checkout);
    const files = await merged({ base: record.start, ours, theirs }, record, scratch);
    const update = { before: ours, after: files };
    const { message, dryRun = false } = options;
    const changed = await countedFiles(ours, files, inCheckout);
    const done = { checkout: checkout.root, changed, ...sumOf(changed), repositories };
    if (dryRun) return done;
    const commit =
      message === undefined
        ? await updateFiles(update, scratch)
        : await commitMerge({ theirs, update, message }, record, scratch);
    await changeRecord(record, { merged: { tree: theirs, ...(commit !== undefined && { commit }) } });
    if (commit === undefined) return done;
    // Also what an earlier merge had left uncommitted.
    const committed = await countedFiles(`${commit}^`, commit, inCheckout);
    return { ...done, changed: committed, ...sumOf(committed), commit };
  });
}

interface FilesUpdate {
  readonly before: string;
  readonly after: string;
}

async function merged(trees: MergedTrees, { name }: WorktreeRecord, scratch: Scratch): Promise<string> {
  const merge = await mergeTrees(trees, scratch, 'merge').catch((error: unknown) => {
    // A file on one side is a folder on the other.
    if (error instanceof WorkspaceError && error.code === 'failed') {
      throw conflict(name, error.message, error);
    }
    throw error;
  });
  if (merge.isClean) return merge.tree;
  throw conflict(name, merge.conflicts.map(toText).join(', '));
}

/** Brings the files of the checkout from one tree to another. git checks all of them before it touches one. */
async function updateFiles({ before, after }: FilesUpdate, scratch: Scratch): Promise<undefined> {
  try {
    await runGit(['read-tree', '--no-sparse-checkout', '-m', '-u', before, after], scratch.git('files'));
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    throw new WorkspaceError('conflict', `a file is in the way; ${error.message}`, { cause: error });
  }
}

/** Commits the merge alone: what else the user has staged or edited is not in the commit, and stays. */
async function commitMerge(
  {
    theirs,
    update,
    message,
  }: { readonly theirs: string; readonly update: FilesUpdate; readonly message: string },
  record: WorktreeRecord,
  scratch: Scratch,
): Promise<string | undefined> {
  const checkout = scratch.tree;
  await checkNothingUnderWay(checkout);
  await checkIndexFree(checkout);
  const git = repositoryOf(checkout);
  const head = await treeOf('HEAD', git);
  const tree = await merged({ base: record.start, ours: head, theirs }, record, scratch);
  if (tree === head) return updateFiles(update, scratch);
  // Before the commit, so that its hooks see the files; a kill in between leaves uncommitted changes.
  await updateFiles(update, scratch);
  const index = scratch.git('commit');
  await runGit(['read-tree', tree], index);
  try {
    await runGit(['commit', '--quiet', '-m', message], { ...index, runsHooks: true });
  } catch (error) {
    await updateFiles({ before: update.after, after: update.before }, scratch);
    throw error;
  }
  await followInIndex({ before: head, after: tree }, checkout);
  return gitLine(['rev-parse', 'HEAD'], git);
}

/** `git commit` would end what the user has begun, with an index of ours. */
async function checkNothingUnderWay(checkout: WorkingTree): Promise<void> {
  if (await isUnderWay(checkout.gitDir)) throw underWay(checkout);
}

function underWay({ root }: WorkingTree): WorkspaceError {
  return new WorkspaceError(
    'conflict',
    `a merge or rebase is not finished in ${root}; finish it, then merge the worktree. Nothing was touched`,
  );
}

function conflict(name: string, what: string, cause?: Error): WorkspaceError {
  return new WorkspaceError(
    'conflict',
    `the changes of the worktree "${name}" conflict with the checkout: ${what}. Nothing was touched`,
    { cause },
  );
}
