import { invalidRequest } from '@parley/acp';
import type {
  ChangesDiff,
  MergeWorktreeParams,
  MergeWorktreeResult,
  RemoveWorktreeParams,
  RemoveWorktreeResult,
} from '@parley/host/hub';
import { mergeWorktree, removeWorktree, toText, worktreeDiff } from '@parley/workspace/worktree';
import type { HubSessions } from '../sessions/hub-sessions.ts';
import type { FoundWorktree } from './worktree-of.ts';

/** The changes in a worktree that a merge would apply. */
export async function diffOf({ record, stateFolder }: FoundWorktree): Promise<ChangesDiff> {
  const { files, omitted } = await worktreeDiff(record, { stateFolder });
  // All of it is merged, whichever program wrote it.
  return { files: files.map((file) => ({ ...file, reported: true })), omitted };
}

/**
 * Merges a worktree into the checkout it was created from.
 *
 * @throws {WorkspaceError} `conflict`: nothing was changed.
 */
export async function merge(
  { record, stateFolder }: FoundWorktree,
  { message, dryRun }: Omit<MergeWorktreeParams, 'sessionId'>,
  table: HubSessions,
): Promise<MergeWorktreeResult> {
  const { checkout, commit, changed, repositories } = await mergeWorktree(record, {
    stateFolder,
    ...(message !== undefined && { message }),
    ...(dryRun !== undefined && { dryRun }),
  });
  table.worktrees.look();
  return {
    checkout,
    ...(commit !== undefined && { commit }),
    files: changed,
    repositories: repositories.map(toText),
  };
}

/**
 * Removes a worktree, and ends idle agents in it.
 *
 * @throws {WorkspaceError} `unsaved`, `in-use`: nothing was removed.
 */
export async function remove(
  { record, stateFolder, sessions }: FoundWorktree,
  { discard, dryRun }: Omit<RemoveWorktreeParams, 'sessionId'>,
  table: HubSessions,
): Promise<RemoveWorktreeResult> {
  const options = { stateFolder, ...(discard !== undefined && { discards: discard }) };
  if (dryRun === true) return removeWorktree(record, { ...options, dryRun });
  for (const { key } of sessions) {
    if (table.found(key)?.turns.isBusy !== true) continue;
    throw invalidRequest(`the worktree "${record.name}" is in use: a turn of the session ${key} runs`, {
      code: 'in-use',
    });
  }
  // What would refuse it does so before an agent is ended.
  await removeWorktree(record, { ...options, dryRun: true });
  for (const { key } of sessions) {
    await table.found(key)?.close();
    const owner = await table.store.owner(key);
    if (owner === undefined) continue;
    throw invalidRequest(
      `the worktree "${record.name}" is in use: ${owner.name} has the session ${key} open`,
      {
        code: 'in-use',
      },
    );
  }
  const removed = await removeWorktree(record, options);
  table.worktrees.look();
  return removed;
}
