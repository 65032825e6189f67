import type { HubSession, ListedRunner, ListedWorktree, WorktreesList } from '@parley/host/hub';
import { WorkspaceError } from '@parley/workspace';
import {
  allWorktrees,
  isInUse,
  worktreeState,
  type RaceEntry,
  type WorktreeRecord,
} from '@parley/workspace/worktree';
import { seesAllSessions } from '../../access/session-access.ts';
import type { Principal } from '../../access/token.ts';
import { isOffered } from '../check-folder.ts';
import type { HubSessions } from '../sessions/hub-sessions.ts';
import { VisibleHub } from '../visible-hub.ts';

/** The worktrees of the sessions that a token may see; one without a session is for tokens that see all sessions. */
export async function listWorktrees(table: HubSessions, principal: Principal): Promise<WorktreesList> {
  const { worktrees, onFault } = table.options;
  if (worktrees === undefined) return { worktrees: [] };
  const { stateFolder } = worktrees;
  const records = await allWorktrees({ stateFolder, onDamaged: (error) => onFault?.(error) });
  const sessions = lastSessions(new VisibleHub(table, principal).sessions);
  const listed: ListedWorktree[] = [];
  for (const record of records) {
    const session = sessions.get(record.path);
    const isVisible = session !== undefined || seesAllSessions(principal);
    if (!isVisible || !(await isOffered(session?.cwd ?? record.checkout, table.options))) continue;
    listed.push({
      name: record.name,
      path: record.path,
      branch: record.branch,
      base: record.base,
      baseRef: record.baseRef,
      checkout: record.checkout,
      createdAt: record.createdAt,
      ...(session !== undefined && { session: session.key }),
      ...(await stateOf(record, stateFolder)),
      ...(record.race !== undefined && { race: await toRunner(record, record.race) }),
    });
  }
  return { worktrees: listed };
}

/** The session of each worktree that was used last, by the path. */
function lastSessions(sessions: readonly HubSession[]): ReadonlyMap<string, HubSession> {
  const found = new Map<string, HubSession>();
  // The one that was used last comes first.
  for (const session of sessions) {
    const path = session.worktree?.path;
    if (path !== undefined && !found.has(path)) found.set(path, session);
  }
  return found;
}

async function stateOf(
  record: WorktreeRecord,
  stateFolder: string,
): Promise<Pick<ListedWorktree, 'state' | 'files' | 'additions' | 'deletions'>> {
  try {
    const { state, files, additions, deletions } = await worktreeState(record, { stateFolder });
    return { state, files, additions, deletions };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { state: 'unknown', files: 0, additions: 0, deletions: 0 };
  }
}

/** The current state of a runner. Its process holds the lock of the worktree until it ends. */
async function toRunner(record: WorktreeRecord, entry: RaceEntry): Promise<ListedRunner> {
  const { files: _files, additions: _additions, deletions: _deletions, ...known } = entry;
  if (entry.state === 'ended' || (await isInUse(record))) return known;
  return { ...known, state: 'interrupted' };
}
