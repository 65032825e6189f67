import { isLogOf, type LoggedAgent } from './logged-agent.ts';
import type { SessionHead } from './session-head.ts';
import type { SessionStore } from './session-store.ts';

/** A session as its agent knows it. */
export interface AgentsSession extends LoggedAgent {
  readonly sessionId: string;
  /** The folder of the session: agents may use the same id once per folder. */
  readonly cwd?: string;
}

/** The stored session of an agent's: where there are several, one of its folder, then the one written last. */
export async function findSession(
  store: SessionStore,
  session: AgentsSession,
): Promise<SessionHead | undefined> {
  const heads = await store.list();
  const found = heads.filter(
    ({ start, sessionId }) => isLogOf(start, session) && sessionId === session.sessionId,
  );
  return found.find(({ start }) => start.cwd === session.cwd) ?? found[0];
}
