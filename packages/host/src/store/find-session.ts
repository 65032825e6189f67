import type { SessionHead } from './session-head.ts';
import type { SessionStore } from './session-store.ts';

/** The session that an agent knows by this id: the one written last, if there are several. */
export async function findSession(
  store: SessionStore,
  session: { readonly agent: string; readonly sessionId: string },
): Promise<SessionHead | undefined> {
  const heads = await store.list();
  return heads.find(
    ({ start, sessionId }) => start.agent === session.agent && sessionId === session.sessionId,
  );
}
