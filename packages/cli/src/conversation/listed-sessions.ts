import type { SessionInfo } from '@parley/acp';
import { offersUnstable, type AgentConnection } from '@parley/host';

/** Pages of an agent's session list that are read. */
const maxPages = 100;

/** Filters for an agent's sessions. */
export interface ListedSessionsOptions {
  /** Only those of this folder. */
  readonly cwd?: string;
  /** Archived ones too, or only those, if the agent has an archive. @default neither */
  readonly archived?: 'include' | 'only';
  readonly signal: AbortSignal;
}

/** Whether the agent lists what it keeps. */
export function listsSessions({ capabilities }: AgentConnection): boolean {
  return capabilities.sessionCapabilities?.list !== undefined;
}

/** The sessions that an agent keeps, page after page; ask {@link listsSessions} first. */
export async function* listedSessions(
  { agent, capabilities }: AgentConnection,
  { cwd, archived, signal }: ListedSessionsOptions,
): AsyncGenerator<SessionInfo, void, undefined> {
  let cursor: string | undefined;
  const filter = offersUnstable(capabilities, 'session/archive') && archived !== undefined && { archived };
  for (let page = 0; page < maxPages; page += 1) {
    const params = {
      ...(cwd !== undefined && { cwd }),
      ...(cursor !== undefined && { cursor }),
      ...filter,
    };
    const answer = await agent.request('session/list', params, { signal });
    for (const session of answer.sessions) {
      // Some agents do not look at what folder was asked for.
      if (cwd === undefined || session.cwd === cwd) yield session;
    }
    cursor = answer.nextCursor;
    if (cursor === undefined) return;
  }
}
