import { type WorkspacePath, toWorkspacePath } from '../../checkpoint/workspace-path.ts';
import { toWorkspaceError } from '../../error.ts';
import { type Workspace, openWorkspace } from '../open-folder.ts';
import type { RestoredFile } from '../plan.ts';
import { twinsAmong } from '../read-disk.ts';
import { lockRestores, restoreFolders, restoresFolder } from './apply.ts';
import { carryOut } from './carry-out.ts';
import { type RestorePhase, enterPhase, readRecord, removeRecord } from './restore-record.ts';
import { type Restore, restoresAtOnce } from './step-state.ts';
import { cleanUp, takeBack } from './take-back.ts';

/** A restore that was killed and is now finished. */
export interface FinishedRestore {
  readonly outcome: 'completed' | 'taken-back';
  /** The note that `applyRestore` received. */
  readonly note: unknown;
  readonly files: readonly RestoredFile[];
  /** Files that were changed in the meantime, and were not touched. */
  readonly left: readonly WorkspacePath[];
}

/** Options of `finishRestores`. */
export interface FinishOptions {
  readonly workspace: string;
  readonly stateDir: string;
  /** Runs for each finished restore, before its recovery data is removed: after a kill in between, it runs again. */
  readonly record?: (restore: FinishedRestore) => Promise<void>;
}

/**
 * Completes the restores of a workspace that were killed. If files changed since then, or a restore cannot be
 * completed, it is rolled back.
 *
 * @throws {WorkspaceError} `in-use`, or why a restore can be neither completed nor rolled back: the next call retries
 * it.
 */
export async function finishRestores(options: FinishOptions): Promise<readonly FinishedRestore[]> {
  const workspace = await openWorkspace(options.workspace);
  const restores = restoresFolder(options.stateDir, workspace);
  if ((await restoreFolders(restores)).length === 0) return [];
  const lock = await lockRestores(restores, workspace.path);
  try {
    const finished: FinishedRestore[] = [];
    for (const folder of await restoreFolders(restores)) {
      const one = await finishOne(folder, workspace, options);
      if (one !== undefined) finished.push(one);
    }
    return finished;
  } catch (error) {
    throw toWorkspaceError(error, 'finish the restore of', workspace.path);
  } finally {
    await lock.release();
  }
}

async function finishOne(
  folder: string,
  workspace: Workspace,
  { record: recordFinished }: FinishOptions,
): Promise<FinishedRestore | undefined> {
  const found = await readRecord(folder);
  if (found === undefined) {
    await removeRecord(folder, 'plan');
    return undefined;
  }
  const { record } = found;
  const twins = twinsAmong(record.steps.map(({ path }) => path));
  const atOnce = restoresAtOnce(twins);
  const restore = { workspace, record, folder, twins, planned: new Map(), atOnce, reached: () => undefined };
  const phase = await complete(restore, found.phase);
  const left = phase === 'back' ? await takeBack(restore) : [];
  const finished = {
    outcome: phase === 'back' ? 'taken-back' : 'completed',
    note: record.note,
    files: record.files,
    left: left.map(toWorkspacePath),
  } as const;
  if (phase === 'done') await cleanUp(restore);
  await recordFinished?.(finished);
  await removeRecord(folder, phase);
  return finished;
}

/** Completes a restore, if all remaining steps are still possible. */
async function complete(restore: Restore, phase: RestorePhase): Promise<'done' | 'back'> {
  if (phase !== 'plan') return phase;
  const { folder } = restore;
  try {
    await carryOut(restore);
    await enterPhase(folder, 'plan', 'done');
    return 'done';
  } catch {
    // It cannot be completed: what was done is taken back.
    await enterPhase(folder, 'plan', 'back');
    return 'back';
  }
}
