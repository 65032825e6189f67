import type { SessionInfo } from '@parley/acp';
import type { AgentConnection } from '@parley/host';

/** How many pages of sessions are looked through. */
const maxPages = 100;

/** Which sessions of an agent are wanted. */
export interface ListedSessionsOptions {
  /** Only those of this folder. */
  readonly cwd?: string;
  readonly signal: AbortSignal;
}

/** Whether the agent lists what it keeps. */
export function listsSessions({ capabilities }: AgentConnection): boolean {
  return capabilities.sessionCapabilities?.list !== undefined;
}

/** The sessions that an agent keeps, page after page; ask {@link listsSessions} first. */
export async function* listedSessions(
  { agent }: AgentConnection,
  { cwd, signal }: ListedSessionsOptions,
): AsyncGenerator<SessionInfo, void, undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = { ...(cwd !== undefined && { cwd }), ...(cursor !== undefined && { cursor }) };
    const answer = await agent.request('session/list', params, { signal });
    for (const session of answer.sessions) {
      // Some agents do not look at what folder was asked for.
      if (cwd === undefined || session.cwd === cwd) yield session;
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) return;
  }
}
