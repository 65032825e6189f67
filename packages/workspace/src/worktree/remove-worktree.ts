import { rm } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError } from '../error.ts';
import { runGit, toText } from '../git/run-git.ts';
import { takeLock } from '../log/lock.ts';
import { commitTree, startRef } from './create-worktree.ts';
import { lockFile, removeRecord, type WorktreePlace, type WorktreeRecord } from './record.ts';
import { whileLocked } from './repository-lock.ts';
import { openScratch } from './scratch.ts';
import { isFolder, repositoryGone } from './trouble.ts';
import { headOf, isElsewhere, repositoryIn, tipOf, workingTreeOf, worktreeTree } from './worktree-state.ts';

/** Options of a removal. */
export interface RemoveWorktreeOptions extends WorktreePlace {
  /** Whether changes that exist nowhere else are saved under a ref. @default the worktree is then not removed */
  readonly discards?: boolean;
  /** Whether nothing is removed or saved. @default false */
  readonly dryRun?: boolean;
}

/** The result of a removal. */
export interface RemovedWorktree {
  /** The ref with the saved changes, if any. */
  readonly savedAs?: string;
}

/**
 * Removes a worktree and its branch, including files that git ignores.
 *
 * @throws {WorkspaceError} `unsaved`: it has changes that exist nowhere else. `in-use`
 */
export async function removeWorktree(
  record: WorktreeRecord,
  options: RemoveWorktreeOptions,
): Promise<RemovedWorktree> {
  const lock = await takeLock(lockFile(record));
  if (!lock.isTaken) {
    const holder = `process ${String(lock.holder.pid)}`;
    throw new WorkspaceError(
      'in-use',
      `${holder} works in the worktree "${record.name}"; nothing was removed`,
    );
  }
  try {
    return await whileLocked(path.dirname(record.path), () => remove(record, options));
  } finally {
    await lock.release();
  }
}

async function remove(record: WorktreeRecord, options: RemoveWorktreeOptions): Promise<RemovedWorktree> {
  if (!(await isFolder(record.repository))) return forget(record, options);
  const savedAs = record.isReady ? await save(record, options) : undefined;
  if (options.dryRun === true) return savedAs === undefined ? {} : { savedAs };
  const git = repositoryIn(record);
  await rm(record.path, { recursive: true, force: true, maxRetries: 3 });
  // Its folder was removed; git's own data about it is removed now.
  await runGit(['worktree', 'remove', '--force', record.path], { ...git, statuses: [0, 128] });
  // Where another working tree has the branch checked out, it stays.
  await runGit(['branch', '--quiet', '-D', record.branch], { ...git, statuses: [0, 1, 128] });
  await runGit(['update-ref', '-d', startRef(record)], git);
  await removeRecord(record);
  return savedAs === undefined ? {} : { savedAs };
}

/** Without its repository nothing can be saved: the files of a worktree stay where they are. */
async function forget(
  record: WorktreeRecord,
  { dryRun = false }: RemoveWorktreeOptions,
): Promise<RemovedWorktree> {
  const hasFolder = await isFolder(record.path);
  if (hasFolder && record.isReady) {
    const { message, advice } = repositoryGone(record, hasFolder);
    throw new WorkspaceError(
      'unsaved',
      `${message}, so that its changes cannot be saved; ${advice}. Nothing was removed`,
    );
  }
  if (dryRun) return {};
  await rm(record.path, { recursive: true, force: true, maxRetries: 3 });
  await removeRecord(record);
  return {};
}

/** Gives the ref, where something had to be saved. */
async function save(
  record: WorktreeRecord,
  { stateFolder, discards = false, dryRun = false }: RemoveWorktreeOptions,
): Promise<string | undefined> {
  const { name } = record;
  const tree = await workingTreeOf(record);
  await using scratch = await openScratch(tree);
  const now = await worktreeTree(record, scratch, { stateFolder });
  if (now.repositories.length > 0) {
    throw new WorkspaceError(
      'unsaved',
      `the worktree "${name}" contains separate repositories, which its commits cannot include: ` +
        `${now.repositories.map(toText).join(', ')}; move them out of ${record.path} first. Nothing was removed`,
    );
  }
  if (await isElsewhere(record, now, scratch)) return undefined;
  if (!discards) {
    throw new WorkspaceError(
      'unsaved',
      `the worktree "${name}" has changes that exist nowhere else; merge them (parley worktrees merge ${name}), or ` +
        `save them and remove it (parley worktrees remove ${name} --discard). Nothing was removed`,
    );
  }
  const ref = await freeRef(`refs/parley/saved/${name}`, record);
  if (dryRun) return ref;
  const git = scratch.git('now');
  const head = await headOf(record, git);
  const tip = await tipOf(record);
  const parents = [head, ...(tip === undefined || tip === head ? [] : [tip])];
  const commit = await commitTree(now.tree, parents, `worktree ${name} at its removal`, tree);
  // Fails where another process has made the ref meanwhile.
  await runGit(['update-ref', ref, commit, ''], repositoryIn(record));
  return ref;
}

/** What was saved under this name before stays. */
async function freeRef(ref: string, record: WorktreeRecord): Promise<string> {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? ref : `${ref}-${String(count)}`;
    const { status } = await runGit(['show-ref', '--verify', '--quiet', candidate], {
      ...repositoryIn(record),
      statuses: [0, 1],
    });
    if (status !== 0) return candidate;
  }
}
