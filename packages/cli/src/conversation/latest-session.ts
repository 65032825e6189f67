import type { SessionInfo } from '@parley/acp';
import type { AgentHandle } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { listedSessions, listsSessions } from './listed-sessions.ts';

/** The id of the session in this folder that was used last, for `--continue`. */
export async function findLatestSession(
  handle: AgentHandle,
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  if (!listsSessions(handle)) {
    throw new CliError('not-offered', `--continue: ${handle.name} does not list its sessions`);
  }
  const sessions: SessionInfo[] = [];
  for await (const session of listedSessions(handle, { cwd, signal })) sessions.push(session);
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
