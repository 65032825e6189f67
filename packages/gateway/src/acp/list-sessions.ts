import { agentRequests, invalidParams } from '@parley/acp';
import type { HubSession } from '@parley/host/hub';
import { judgeSession } from '../access/session-access.ts';
import { isOffered } from '../hub/check-folder.ts';
import type { HubCall } from './hub-call.ts';
import { isSameFolder } from './opening-rules.ts';
import { readParams } from './params/params.ts';

/** Sessions on one page of a list. */
const pageLength = 100;

/** Lists the sessions in the offered folders that the token may see, the one that was used last first. */
export async function listSessions(params: unknown, { table, principal }: HubCall): Promise<object> {
  const { cwd, cursor } = readParams(agentRequests['session/list'].parseParams(params ?? {}));
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  await table.look();
  const isAllowed = remembered((folder) => isOffered(folder, table.options));
  const isWanted = remembered((folder) =>
    cwd === undefined ? Promise.resolve(true) : isSameFolder(folder, cwd),
  );
  const page: HubSession[] = [];
  let hasMore = false;
  for (const session of table.sessions.toSorted(inOrder)) {
    if (after !== undefined && inOrder(session, after) <= 0) continue;
    if (judgeSession(principal, await table.ownerOf(session.key), 'look') !== 'allowed') continue;
    if (!(await isWanted(session.cwd)) || !(await isAllowed(session.cwd))) continue;
    hasMore = page.length === pageLength;
    if (hasMore) break;
    page.push(session);
  }
  const last = page.at(-1);
  return {
    sessions: page.map(({ key: sessionId, cwd: folder, worktree, title, updatedAt, agent }) => ({
      sessionId,
      cwd: folder,
      ...(title !== undefined && { title }),
      updatedAt: new Date(updatedAt).toISOString(),
      _meta: { 'parley/agent': agent, ...(worktree !== undefined && { 'parley/worktree': worktree }) },
    })),
    ...(hasMore && last !== undefined && { nextCursor: toCursor(last) }),
  };
}

/** Where a page ends: sessions that are used meanwhile come before it. */
type Place = Pick<HubSession, 'key' | 'updatedAt'>;

function inOrder(left: Place, right: Place): number {
  if (left.updatedAt !== right.updatedAt) return right.updatedAt - left.updatedAt;
  return left.key < right.key ? 1 : left.key > right.key ? -1 : 0;
}

function toCursor({ updatedAt, key }: Place): string {
  return `${String(updatedAt)} ${key}`;
}

/** @throws {RpcError} -32602 */
function parseCursor(cursor: string): Place {
  const [, updatedAt, key] = /^(\d{1,15}) (\S+)$/u.exec(cursor) ?? [];
  if (updatedAt === undefined || key === undefined) throw invalidParams('cursor', 'one of a page before');
  return { updatedAt: Number(updatedAt), key };
}

/** Many sessions are in the same folder. */
function remembered(judge: (folder: string) => Promise<boolean>): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (folder) => {
    const judged = known.get(folder) ?? judge(folder);
    known.set(folder, judged);
    return judged;
  };
}
