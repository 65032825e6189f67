import type { SessionInfo } from '@parley/acp';
import {
  isLogOf,
  readSessionFacts,
  type AgentConnection,
  type LoggedAgent,
  type SessionHead,
  type SessionStore,
} from '@parley/host';
import { turnCount } from '@parley/host/state';
import { CliError } from '../cli-error.ts';
import { listedSessions, listsSessions } from './listed-sessions.ts';

/** Where the last session is looked for. */
export interface LatestSessionOptions {
  readonly cwd: string;
  /** The command line of an agent that has no name of its own. */
  readonly commandLine?: readonly string[];
  /** Where sessions are stored here. */
  readonly store: SessionStore;
  readonly signal: AbortSignal;
}

/**
 * The id of the session in this folder that was used last, for `--continue`: as the agent lists it, else as it is stored
 * here. An agent by command line has the sessions that were stored with the same command line, and those that it lists and
 * that are not stored here with another one.
 *
 * @throws {CliError} `not-offered`: there is none.
 */
export async function findLatestSession(
  connection: AgentConnection,
  { cwd, commandLine, store, signal }: LatestSessionOptions,
): Promise<string> {
  const agent = { agent: connection.name, ...(commandLine !== undefined && { commandLine }) };
  const lists = listsSessions(connection);
  const isListed = lists && commandLine === undefined;
  const stored = await storedIn(cwd, store);
  const latestStored = isListed
    ? undefined
    : await findLatestStored(connection, { store, heads: stored, agent });
  if (latestStored !== undefined) return latestStored;
  if (!lists) {
    throw new CliError(
      'not-offered',
      canContinue(connection)
        ? `--continue: ${connection.name} has no stored session in ${cwd}, and does not list its own`
        : `--continue: ${connection.name} cannot resume or load a session`,
    );
  }
  // What a delegate did is not what the user did last.
  const others = isListed ? stored.filter(({ start }) => start.parent !== undefined) : stored;
  const isStored = new Set(others.map(({ sessionId }) => sessionId));
  const sessions: SessionInfo[] = [];
  for await (const session of listedSessions(connection, { cwd, signal })) {
    if (!isStored.has(session.sessionId)) sessions.push(session);
  }
  const latest = latestOf(sessions);
  if (latest === undefined) {
    throw new CliError('not-offered', `--continue: ${connection.name} has no session in ${cwd}`);
  }
  return latest.sessionId;
}

async function storedIn(cwd: string, store: SessionStore): Promise<readonly SessionHead[]> {
  const heads = await store.list();
  return heads.filter(({ start }) => start.cwd === cwd);
}

function canContinue({ capabilities }: Pick<AgentConnection, 'capabilities'>): boolean {
  return capabilities.loadSession === true || capabilities.sessionCapabilities?.resume !== undefined;
}

/** The last of these sessions that is the agent's, and neither an application's nor a delegate's. Agents store none without a turn. */
export async function findLatestStored(
  connection: Pick<AgentConnection, 'capabilities'>,
  {
    store,
    heads,
    agent,
  }: {
    readonly store: SessionStore;
    readonly heads: readonly SessionHead[];
    readonly agent: LoggedAgent;
  },
): Promise<string | undefined> {
  if (!canContinue(connection)) return undefined;
  for (const head of heads) {
    const { start, sessionId } = head;
    if (sessionId === undefined || start.origin === 'aap' || start.parent !== undefined) continue;
    if (!isLogOf(start, agent)) continue;
    const { state } = await readSessionFacts(store, head);
    if (turnCount(state) > 0) return sessionId;
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
