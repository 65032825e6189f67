import { Buffer } from 'node:buffer';
import { lstat } from 'node:fs/promises';
import { type BytePath, type WorkspacePath, toWorkspacePath } from '../checkpoint/workspace-path.ts';
import type { ChangedFile } from '../diff/diff-files.ts';
import { WorkspaceError, checkNotAborted } from '../error.ts';
import { gitLine, runGit } from '../git/run-git.ts';
import { foldersAbove, toCheckedPath } from '../restore/byte-path.ts';
import type { ReadBlob } from '../restore/contents.ts';
import type { RestoreConflict } from '../restore/plan.ts';
import { type CheckoutFolder, findCheckout, prefixOf, repositoryOf } from '../worktree/checkout.ts';
import { mergeTrees } from '../worktree/merge-trees.ts';
import { type Scratch, openScratch } from '../worktree/scratch.ts';
import { changedPaths, writeTree } from '../worktree/trees.ts';
import { followInIndex } from './follow-in-index.ts';
import { type Side, sideTree } from './side-tree.ts';
import { checkIndexFree, isUnderWay } from './under-way.ts';

/** Options of a commit. */
export interface CommitOptions {
  /** The folder that the paths are relative to, in a working tree of git. */
  readonly workspace: string;
  /** Each file before and after the change to commit. */
  readonly changes: readonly ChangedFile[];
  readonly read: ReadBlob;
  readonly message: string;
  /** Aborting stops before the commit is created. */
  readonly signal?: AbortSignal;
}

/** The commit, or why it was not created. */
export type CommitResult =
  | {
      readonly state: 'committed';
      readonly commit: string;
      readonly files: readonly WorkspacePath[];
      /** Files of nested repositories, which are not part of the commit. */
      readonly nested: readonly WorkspacePath[];
    }
  /** Files whose change conflicts with `HEAD`. Nothing was changed. */
  | { readonly state: 'conflicts'; readonly conflicts: readonly RestoreConflict[] };

/**
 * Commits changes on top of `HEAD`, with a separate index that contains nothing else. Hooks, author and signing are
 * those of git.
 *
 * @throws {WorkspaceError} `not-a-repository`, `no-git`, `in-progress`, `in-use`, `nothing-to-commit`; `changed`:
 * another commit was created in the meantime; `refused`: git or a hook rejected it, with its message.
 */
export async function commitChanges(options: CommitOptions): Promise<CommitResult> {
  const checkout = await findCheckout(options.workspace);
  await checkReady(checkout);
  const parent = await headOf(checkout);
  const { before, after, nested } = await toSides(options.changes, checkout);
  await using trial = await openScratch(checkout, { forgets: true });
  const head = await headTree(parent, trial);
  const context = { head, read: options.read, scratch: trial };
  const [base, theirs] = [await sideTree(before, 'before', context), await sideTree(after, 'after', context)];
  const merge = await mergeTrees({ base, ours: head, theirs }, trial, 'merge');
  const toPath = pathIn(checkout);
  if (!merge.isClean) {
    const conflicts = merge.conflicts.map((file) => ({ path: toPath(file), why: 'content' }) as const);
    return { state: 'conflicts', conflicts };
  }
  if (merge.tree === head) {
    const message = `commit in ${JSON.stringify(checkout.root)}: nothing of the changes is left to commit`;
    throw new WorkspaceError('nothing-to-commit', message, { path: checkout.root });
  }
  checkNotAborted(options.signal, 'commit');
  await using scratch = await openScratch(checkout);
  await storeObjects(merge.tree, parent, trial, scratch);
  const commit = await commitTree({ tree: merge.tree, parent, message: options.message }, scratch);
  const tree = await gitLine(['rev-parse', `${commit}^{tree}`], repositoryOf(checkout));
  await followInIndex({ before: head, after: tree }, checkout);
  const files = await changedPaths(head, tree, repositoryOf(checkout));
  return { state: 'committed', commit, files: files.map(toPath), nested: nested.map(toPath) };
}

async function checkReady(checkout: CheckoutFolder): Promise<void> {
  const { root, gitDir } = checkout;
  const { stdout } = await runGit(['ls-files', '-z', '-u'], { cwd: root });
  if ((await isUnderWay(gitDir)) || stdout.length > 0) {
    const message = `commit in ${JSON.stringify(root)}: a merge, rebase or the like is not finished there; finish or abort it first`;
    throw new WorkspaceError('in-progress', message, { path: root });
  }
  await checkIndexFree(checkout);
}

/** The commit that `HEAD` names; undefined before the first one. */
async function headOf(checkout: CheckoutFolder): Promise<string | undefined> {
  const { status, stdout } = await runGit(['rev-parse', '--verify', '-q', 'HEAD^{commit}'], {
    ...repositoryOf(checkout),
    statuses: [0, 1, 128],
  });
  return status === 0 ? stdout.toString().trim() : undefined;
}

async function headTree(parent: string | undefined, scratch: Scratch): Promise<string> {
  const git = scratch.git('head');
  await runGit(['read-tree', ...(parent === undefined ? ['--empty'] : [parent])], git);
  return writeTree(git);
}

/** Both sides of the changes, by path in the working tree, without files of nested repositories. */
async function toSides(
  changes: readonly ChangedFile[],
  checkout: CheckoutFolder,
): Promise<{ readonly before: Side; readonly after: Side; readonly nested: readonly BytePath[] }> {
  const prefix = prefixOf(checkout);
  const before = new Map<BytePath, ChangedFile['before']>();
  const after = new Map<BytePath, ChangedFile['after']>();
  for (const change of changes) {
    const file = `${prefix}${toCheckedPath(change.path)}`;
    const old = change.oldPath === undefined ? file : `${prefix}${toCheckedPath(change.oldPath)}`;
    for (const each of [old, file]) {
      if (!before.has(each)) before.set(each, undefined);
      if (!after.has(each)) after.set(each, undefined);
    }
    before.set(old, change.before);
    after.set(file, change.after);
  }
  const nested: BytePath[] = [];
  for (const file of before.keys()) if (await isNested(file, checkout)) nested.push(file);
  for (const file of nested) {
    before.delete(file);
    after.delete(file);
  }
  return { before, after, nested };
}

/** Whether a folder above a path is a nested repository. */
async function isNested(file: BytePath, { root }: CheckoutFolder): Promise<boolean> {
  for (const folder of foldersAbove(file)) {
    const git = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(`${folder}/.git`, 'latin1')]);
    const isThere = await lstat(git).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

/** Stores what a tree holds and `HEAD` does not in the repository. */
async function storeObjects(
  tree: string,
  parent: string | undefined,
  trial: Scratch,
  scratch: Scratch,
): Promise<void> {
  const wanted = `${tree}\n${parent === undefined ? '' : `^${parent}\n`}`;
  const { stdout } = await runGit(['pack-objects', '--revs', '--stdout', '-q'], {
    ...trial.git('merge'),
    input: wanted,
  });
  await runGit(['unpack-objects', '-q'], { ...scratch.git('commit'), input: stdout });
}

interface NewCommit {
  readonly tree: string;
  readonly parent: string | undefined;
  readonly message: string;
}

async function commitTree({ tree, parent, message }: NewCommit, scratch: Scratch): Promise<string> {
  const checkout = scratch.tree;
  const git = repositoryOf(checkout);
  const index = scratch.git('commit');
  await runGit(['read-tree', tree], index);
  const isMoved = (await headOf({ ...checkout, below: '' })) !== parent;
  if (isMoved) throw moved(checkout.root);
  try {
    await runGit(['commit', '--quiet', '--file=-'], { ...index, input: message, runsHooks: true });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const text = `commit in ${JSON.stringify(checkout.root)}: git did not accept it: ${error.message}`;
    throw new WorkspaceError('refused', text, { path: checkout.root, cause: error });
  }
  const commit = await gitLine(['rev-parse', 'HEAD'], git);
  // git itself fails when HEAD moves while it commits. This is about the moment between the look at HEAD and git's own.
  const [, first] = (await gitLine(['rev-list', '--parents', '-n', '1', commit], git)).split(' ');
  const isOurs = (await gitLine(['rev-parse', `${commit}^{tree}`], git)) === tree;
  if (first === parent || first === undefined || !isOurs) return commit;
  await runGit(['update-ref', '-m', 'parley: another commit came first', 'HEAD', first, commit], git);
  throw moved(checkout.root);
}

function moved(root: string): WorkspaceError {
  const message = `commit in ${JSON.stringify(root)}: HEAD changed in the meantime; nothing was committed. Try again`;
  return new WorkspaceError('changed', message, { path: root });
}

function pathIn(checkout: CheckoutFolder): (file: BytePath) => WorkspacePath {
  const prefix = prefixOf(checkout);
  return (file) => toWorkspacePath(file.startsWith(prefix) ? file.slice(prefix.length) : file);
}
