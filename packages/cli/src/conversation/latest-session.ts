import type { SessionInfo } from '@parley/acp';
import type { AgentHandle } from '@parley/host';
import { CliError } from '../cli-error.ts';

/** How many pages of sessions are looked through. */
const maxPages = 100;

/** The id of the session in this folder that was used last, for `--continue`. */
export async function findLatestSession(
  handle: AgentHandle,
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  if (handle.capabilities.sessionCapabilities?.list === undefined) {
    throw new CliError('not-offered', `--continue: ${handle.name} does not list its sessions`);
  }
  const sessions: SessionInfo[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await handle.agent.request(
      'session/list',
      { cwd, ...(cursor !== undefined && { cursor }) },
      { signal },
    );
    sessions.push(...answer.sessions.filter((session) => session.cwd === cwd));
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  const latest = latestOf(sessions);
  if (latest === undefined) {
    throw new CliError('not-offered', `--continue: ${handle.name} has no session in ${cwd}`);
  }
  return latest.sessionId;
}

/** The session updated last; where the agent does not say when, the one it names first. */
function latestOf(sessions: readonly SessionInfo[]): SessionInfo | undefined {
  return sessions.reduce<SessionInfo | undefined>(
    (latest, session) => (latest === undefined || timeOf(session) > timeOf(latest) ? session : latest),
    undefined,
  );
}

function timeOf({ updatedAt }: SessionInfo): number {
  const time = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
