import { invalidRequest } from '@parley/acp';
import type { SessionWorktree } from '@parley/host';
import type { NewSessionMeta, NewSessionWorktree } from '@parley/host/hub';

/** The git worktrees in which sessions of the hub may work. */
export interface HubWorktrees {
  /** Opens one for a session that begins in a folder. @throws {RpcError} Why it cannot be opened, for the client. */
  open(cwd: string, wish: NewSessionWorktree): Promise<HubWorktree>;
  /** What a folder in a worktree is in the checkout that the worktree came from; another folder is itself. */
  origin(folder: string): Promise<string>;
}

/** A worktree that is open for a session until that has begun. Disposing releases it; a new one that is not kept is removed. */
export interface HubWorktree extends AsyncDisposable {
  readonly worktree: SessionWorktree;
  /** The folder of the session. */
  readonly cwd: string;
  /** What the user should know: what was left out, or did not run. */
  readonly notes: readonly string[];
  /** The session has begun. */
  keep(): void;
}

/** Opens the worktree that a new session wants; undefined where it wants none. @throws {RpcError} */
export async function openWanted(
  cwd: string,
  { 'parley/worktree': wish }: NewSessionMeta,
  worktrees: HubWorktrees | undefined,
): Promise<HubWorktree | undefined> {
  if (wish === undefined) return undefined;
  if (worktrees === undefined) throw invalidRequest('session/new: this server opens no worktrees');
  return worktrees.open(cwd, wish);
}
