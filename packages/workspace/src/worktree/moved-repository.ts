import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkspaceError } from '../error.ts';
import { replaceFile } from '../files/replace-file.ts';
import type { WorkingTree } from './checkout.ts';
import { changeRecord, readRecords, type WorktreeRecord } from './record.ts';
import { whileLocked } from './repository-lock.ts';
import { isFolder } from './trouble.ts';

/** The worktrees of a repository, the oldest first. Those whose repository was moved here follow it. */
export async function worktreesOf(
  tree: Pick<WorkingTree, 'repository'>,
  folder: string,
  onDamaged: (error: WorkspaceError) => void,
): Promise<readonly WorktreeRecord[]> {
  const found: WorktreeRecord[] = [];
  for (const record of await readRecords(folder, onDamaged)) {
    const followed = record.repository === tree.repository ? record : await follow(record, tree);
    if (followed !== undefined) found.push(followed);
  }
  return found;
}

/** Undefined where the worktree is not one of this repository. */
async function follow(
  record: WorktreeRecord,
  { repository }: Pick<WorkingTree, 'repository'>,
): Promise<WorktreeRecord | undefined> {
  if (await isFolder(record.repository)) return undefined;
  const toMoved = (file: string): string => path.join(repository, path.relative(record.repository, file));
  const gitDir = toMoved(record.gitDir ?? path.join(record.repository, 'worktrees', record.name));
  // git notes there where its worktree is.
  const known = await readFile(path.join(gitDir, 'gitdir'), 'utf8').catch(() => '');
  const link = path.join(record.path, '.git');
  if (known.trim() !== link) return undefined;
  const moved = {
    repository,
    checkout: (await isFolder(record.checkout)) ? record.checkout : toMoved(record.checkout),
    checkoutGitDir: toMoved(record.checkoutGitDir),
    gitDir,
  };
  await whileLocked(path.dirname(record.path), () => changeRecord(record, moved));
  // As `git worktree repair` does, which git 2.25 does not have. What an agent has put there stays.
  const text = await readFile(link, 'utf8').catch(() => '');
  if (text.trim() === `gitdir: ${record.gitDir ?? ''}`) await replaceFile(link, `gitdir: ${gitDir}\n`);
  return { ...record, ...moved };
}
