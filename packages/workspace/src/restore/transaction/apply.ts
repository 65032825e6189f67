import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { WorkspaceError, checkNotAborted, refusal, systemCode, toWorkspaceError } from '../../error.ts';
import { type HeldLock, awaitLock } from '../../log/lock.ts';
import { pathText } from '../byte-path.ts';
import { type Workspace, openWorkspace } from '../open-folder.ts';
import type { RestorePlan, RestoredFile } from '../plan.ts';
import { carryOut } from './carry-out.ts';
import { type PrepareOptions, prepareRestore } from './prepare.ts';
import { enterPhase, removeRecord } from './restore-record.ts';
import type { Restore } from './step-state.ts';
import { cleanUp, takeBack } from './take-back.ts';

/** Options of `applyRestore`. */
export interface ApplyOptions {
  readonly workspace: string;
  /** Parley's state folder, which contains the data to recover after a kill. */
  readonly stateDir: string;
  /** JSON that `finishRestores` returns if it has to complete this restore. */
  readonly note?: unknown;
  /**
   * Runs when everything is restored, before the recovery data is removed: after a kill in between, `finishRestores`
   * runs its own.
   */
  readonly record?: () => Promise<void>;
  /** Aborting stops before files are changed. */
  readonly signal?: AbortSignal;
}

/**
 * Applies a plan completely or not at all. After a kill, `finishRestores` completes it or rolls it back.
 *
 * @throws {WorkspaceError} `conflict`; `changed`: a file changed after the plan was made; `denied`, `no-space`,
 * `in-use`.
 */
export function applyRestore(plan: RestorePlan, options: ApplyOptions): Promise<readonly RestoredFile[]> {
  return applyStepwise(plan, options, {});
}

/** How the disk is changed. */
type Stepping = Pick<PrepareOptions, 'reached' | 'atOnce'>;

/** Applies a plan, and calls `reached` before each change of the disk. */
export async function applyStepwise(
  plan: RestorePlan,
  options: ApplyOptions,
  { reached, atOnce }: Stepping,
): Promise<readonly RestoredFile[]> {
  const [conflict] = plan.conflicts;
  if (conflict !== undefined) {
    throw refusal('restore', pathText(conflict.path), 'conflict', `it was changed since (${conflict.why})`);
  }
  const workspace = await openWorkspace(options.workspace);
  const restores = restoresFolder(options.stateDir, workspace);
  const lock = await lockRestores(restores, workspace.path);
  try {
    if ((await restoreFolders(restores)).length > 0) {
      const message = `restore ${JSON.stringify(workspace.path)}: an earlier restore is not finished; start Parley again`;
      throw new WorkspaceError('in-use', message, { path: workspace.path });
    }
    const folder = path.join(restores, randomUUID());
    const restore = await prepare(plan, { ...options, folder, reached, atOnce });
    await carryOutOrTakeBack(restore);
    restore.reached('done');
    await enterPhase(folder, 'plan', 'done');
    restore.reached('clean up');
    await cleanUp(restore);
    await options.record?.();
    await removeRecord(folder, 'done');
    return plan.files;
  } catch (error) {
    throw toWorkspaceError(error, 'restore', workspace.path);
  } finally {
    await lock.release();
  }
}

/** Where the restores of a workspace are recorded. */
export function restoresFolder(stateDir: string, workspace: Workspace): string {
  const key = createHash('sha256').update(workspace.path).digest('hex').slice(0, 32);
  return path.join(stateDir, 'restores', key);
}

/** The folders of restores that are not finished. */
export async function restoreFolders(restores: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(restores, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(restores, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** @throws {WorkspaceError} `in-use`: another process restores. */
export async function lockRestores(restores: string, workspace: string): Promise<HeldLock> {
  const lock = await awaitLock(path.join(restores, 'lock'), lockMs);
  if (lock.isTaken) return lock;
  const message = `restore ${JSON.stringify(workspace)}: process ${String(lock.holder.pid)} restores files; try again when it is done`;
  throw new WorkspaceError('in-use', message, { path: workspace });
}

/** Time limit for another process to complete its restore. */
const lockMs = 10_000;

async function prepare(plan: RestorePlan, options: ApplyOptions & PrepareOptions): Promise<Restore> {
  try {
    const restore = await prepareRestore(plan, options);
    checkNotAborted(options.signal, 'restore');
    return restore;
  } catch (error) {
    await removeRecord(options.folder, 'plan');
    throw error;
  }
}

async function carryOutOrTakeBack(restore: Restore): Promise<void> {
  try {
    await carryOut(restore);
  } catch (error) {
    await enterPhase(restore.folder, 'plan', 'back');
    await takeBack(restore);
    await removeRecord(restore.folder, 'back');
    throw error;
  }
}
