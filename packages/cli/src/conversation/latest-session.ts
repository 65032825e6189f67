import type { SessionInfo } from '@parley/acp';
import { readSession, type AgentConnection, type SessionStore } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { listedSessions, listsSessions } from './listed-sessions.ts';

/** Where the last session is looked for. */
export interface LatestSessionOptions {
  readonly cwd: string;
  /** Where sessions are stored here: for an agent that lists none of its own. */
  readonly store?: SessionStore;
  readonly signal: AbortSignal;
}

/** The id of the session in this folder that was used last, for `--continue`. */
export async function findLatestSession(
  handle: AgentConnection,
  { cwd, store, signal }: LatestSessionOptions,
): Promise<string> {
  if (!listsSessions(handle)) {
    const kept = store === undefined ? undefined : await findStored(handle, cwd, store);
    if (kept !== undefined) return kept;
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

/** The last session with the agent that is kept here. Agents keep none in which nothing was said. */
async function findStored(
  { name, capabilities }: AgentConnection,
  cwd: string,
  store: SessionStore,
): Promise<string | undefined> {
  if (capabilities.loadSession !== true && capabilities.sessionCapabilities?.resume === undefined) {
    return undefined;
  }
  for (const head of await store.list()) {
    const { start, sessionId } = head;
    if (sessionId === undefined || start.agent !== name || start.cwd !== cwd) continue;
    const { view } = await readSession(store, head, { extent: 'outline' });
    if (view.turns.length > 0) return sessionId;
  }
  return undefined;
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
