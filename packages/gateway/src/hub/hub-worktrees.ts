import { invalidRequest } from '@parley/acp';
import type { SessionWorktree } from '@parley/host';
import type { NewSessionMeta, NewSessionWorktree } from '@parley/host/hub';
import type { WorktreeRecord } from '@parley/workspace/worktree';

/** The git worktrees for sessions of the hub. */
export interface HubWorktrees {
  /** The folder that stores them. */
  readonly stateFolder: string;
  /**
   * Opens a worktree for a new session. Aborting ends its setup script, and removes it.
   *
   * @throws {RpcError} Why it cannot be opened, for the client.
   */
  open(
    cwd: string,
    wish: NewSessionWorktree,
    options?: { readonly signal?: AbortSignal },
  ): Promise<HubWorktree>;
  /** Returns the folder of the original checkout for a folder in a worktree; other folders are returned unchanged. */
  origin(folder: string): Promise<string>;
}

/**
 * A worktree that is reserved until its session has started. Disposing releases it, and removes a new one that is not
 * used.
 */
export interface HubWorktree extends AsyncDisposable {
  readonly worktree: SessionWorktree;
  readonly record: WorktreeRecord;
  /** The folder of the session. */
  readonly cwd: string;
  /** Notes for the user: omitted files, a setup script that did not run. */
  readonly notes: readonly string[];
  /** Reports that the session has started. */
  keep(): void;
}

/** Opens the worktree that a new session requests; undefined if it requests none. @throws {RpcError} */
export async function openWanted(
  cwd: string,
  { 'parley/worktree': wish }: NewSessionMeta,
  worktrees: HubWorktrees | undefined,
): Promise<HubWorktree | undefined> {
  return wish === undefined ? undefined : expectWorktrees('session/new', worktrees).open(cwd, wish);
}

/** @throws {RpcError} -32600: the hub has none. */
export function expectWorktrees(method: string, worktrees: HubWorktrees | undefined): HubWorktrees {
  if (worktrees !== undefined) return worktrees;
  throw invalidRequest(`${method}: this server does not support worktrees`);
}
