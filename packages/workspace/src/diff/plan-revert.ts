import { refusal } from '../error.ts';
import { withContents } from '../restore/contents.ts';
import { isLink } from '../restore/decide.ts';
import { type PlanOptions, type RestoreConflict, type RestorePlan, planRestore } from '../restore/plan.ts';
import type { ChangedPaths } from '../restore/read-disk.ts';
import { diffWithBytes } from './diff-files.ts';
import { withoutHunks } from './hunk.ts';

/** The hunks to revert. */
export interface RevertOptions extends PlanOptions {
  /** Ids that `diffFiles` returned for the same changes. */
  readonly ids: readonly string[];
}

/**
 * Plans to revert some hunks of changed files, merged with later changes; `applyRestore` applies the plan.
 *
 * @throws {WorkspaceError} `not-found`: a hunk does not exist.
 */
export async function planRevert(options: RevertOptions): Promise<RestorePlan> {
  const { changes, ids, read } = options;
  const contents = withContents(read);
  const wanted = new Set(ids);
  const reverted: ChangedPaths[] = [];
  const uncovered: RestoreConflict[] = [];
  const diffs = await diffWithBytes(changes, { read });
  for (const [index, { hunks }] of diffs.entries()) {
    const change = changes[index];
    const chosen = hunks.filter(({ hunk }) => wanted.delete(hunk.id));
    if (change === undefined || chosen.length === 0) continue;
    const { path, before, after, wasUncovered } = change;
    if (wasUncovered === true) {
      uncovered.push({ path, why: 'uncovered' });
      continue;
    }
    const isWhole = before === undefined || after === undefined || isLink(before) !== isLink(after);
    if (isWhole && chosen.length === hunks.length) {
      reverted.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
      continue;
    }
    if (after === undefined) continue;
    const blob = contents.add(withoutHunks(await read(after.blob), chosen));
    reverted.push({ path, before: { ...after, blob }, after });
  }
  const [missing] = wanted;
  if (missing !== undefined) {
    throw refusal('revert hunk', missing, 'not-found', 'unknown hunk; use the ids of the current diff');
  }
  const plan = await planRestore({ ...options, changes: reverted, read: contents.read });
  return { ...plan, conflicts: [...plan.conflicts, ...uncovered] };
}
