import { invalidRequest, unknownSession } from '@parley/acp';
import type { HubSession } from '@parley/host/hub';
import { worktreeAround, type WorktreeRecord } from '@parley/workspace/worktree';
import { checkFolder } from '../check-folder.ts';
import { expectWorktrees } from '../hub-worktrees.ts';
import type { HubSessions } from '../sessions/hub-sessions.ts';

/** The worktree of a session. */
export interface FoundWorktree {
  readonly record: WorktreeRecord;
  readonly stateFolder: string;
  /** All sessions that work there, or did, of all tokens. */
  readonly sessions: readonly HubSession[];
}

/**
 * The worktree in which a session works, or did.
 *
 * @throws {RpcError} -32002: there is no such session; -32600: it is in no worktree, or that was removed.
 */
export async function worktreeOf(table: HubSessions, method: string, key: string): Promise<FoundWorktree> {
  const { stateFolder } = expectWorktrees(method, table.options.worktrees);
  await table.expect(key);
  const session = table.session(key);
  if (session === undefined) throw unknownSession(key);
  const { worktree } = session;
  if (worktree === undefined) {
    throw invalidRequest(`${method}: the session has no worktree`, { code: 'no-worktree' });
  }
  const record = await worktreeAround(worktree.path, { stateFolder });
  if (record?.path !== worktree.path) {
    throw invalidRequest(`${method}: the worktree "${worktree.name}" was removed`, { code: 'no-worktree' });
  }
  await checkFolder('the session', session.cwd, table.options);
  const sessions = table.sessions.filter((each) => each.worktree?.path === record.path);
  return { record, stateFolder, sessions };
}
