import path from 'node:path';
import type { SessionInfo } from '@parley/acp';
import {
  findSession,
  forkSession,
  offersFork,
  offersUnstable,
  requestUnstable,
  type AgentConnection,
  type AgentsSession,
} from '@parley/host';
import { CliError } from '../cli-error.ts';
import { openCommandSessions } from '../conversation/command-sessions.ts';
import { listedSessions, listsSessions } from '../conversation/listed-sessions.ts';
import type { FoundSession } from '../conversation/requested-session.ts';
import { exitStatus } from '../exit-status.ts';
import { parseCount } from '../flag-values.ts';
import { toColumns } from '../output/columns.ts';
import { fromHome } from '../output/from-home.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { toAge } from '../output/time-text.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { asksAgent, type TypedAgentFlags } from './asks-agent.ts';
import { atAgent, inquire, type AskedAgent } from './at-agent.ts';
import { confirmDeletion } from './confirm-deletion.ts';
import { storeOf } from './find-session.ts';
import { showSession } from './show.ts';

/** Default number of listed sessions. */
const usualLimit = 20;

/** The flags of `parley sessions list` with an agent. */
export interface TypedAgentListFlags extends TypedAgentFlags {
  readonly json?: boolean;
  readonly limit?: string;
  readonly archived?: boolean;
}

/** `parley sessions list --agent NAME`: the sessions that the agent keeps itself. Gives the exit status. */
export async function listAgentSessions(
  typed: TypedAgentListFlags,
  surroundings: Surroundings,
): Promise<number> {
  const limit = typed.limit === undefined ? usualLimit : parseCount('--limit', typed.limit);
  const folder = typed.cwd === undefined ? undefined : path.resolve(surroundings.cwd, typed.cwd);
  return atAgent(typed, surroundings, async ({ connection, redaction, signal }) => {
    if (!listsSessions(connection)) {
      throw new CliError('not-offered', `list: ${connection.name} does not list its sessions`);
    }
    if (typed.archived === true) requireOffered(connection, 'session/archive');
    const sessions: (SessionInfo & { readonly status?: string })[] = [];
    let isMore = false;
    for await (const session of listedSessions(connection, {
      signal,
      ...(folder !== undefined && { cwd: folder }),
      ...(typed.archived === true && { archived: 'only' }),
    })) {
      isMore = sessions.length === limit;
      if (isMore) break;
      const { sessionId, title } = session;
      const status = await statusOf(connection, sessionId, signal);
      sessions.push({
        ...session,
        ...(title !== undefined && { title: redaction.text(title) }),
        ...(status !== undefined && { status }),
      });
    }
    const { stdout, stderr, env } = surroundings;
    const writer = createWriter(stdout);
    if (typed.json === true) {
      writer.write(`${JSON.stringify({ sessions, more: isMore }, undefined, 2)}\n`);
    } else if (sessions.length > 0) {
      const hasStatus = sessions.some(({ status }) => status !== undefined);
      const [head = '', ...lines] = toColumns([
        ['ID', 'LAST', ...(hasStatus ? ['STATE'] : []), 'FOLDER', 'TITLE'],
        ...sessions.map((session) => toRow(session, hasStatus)),
      ]);
      writer.write([createStyle(stdout.isTTY === true, env).dim(head), ...lines, ''].join('\n'));
      if (isMore) stderr.write(`parley: there are more; --limit ${String(limit * 10)} lists more\n`);
    } else {
      stderr.write(`parley: ${toPlainLine(connection.name)} has no sessions here\n`);
    }
    await writer.flush();
    return exitStatus.done;
  });
}

/** `parley sessions load ID --agent NAME`: takes the history of an agent's session into an event log here, and shows it. */
export async function loadAgentSession(
  id: string,
  typed: TypedAgentFlags,
  surroundings: Surroundings,
): Promise<number> {
  requireAgent('load', typed);
  let loaded: AgentsSession | undefined;
  const status = await inquire(typed, surroundings, async ({ prepared, user, ...inquiry }) => {
    const { signal } = inquiry;
    await using sessions = await openCommandSessions(prepared, {
      ...inquiry,
      ...(user !== undefined && { interact: user }),
      // A history that it replays goes into the event log.
      onEvent: () => undefined,
    });
    const find = async (connection: AgentConnection): Promise<FoundSession> => {
      if (connection.capabilities.loadSession !== true) {
        throw new CliError('not-offered', `load: ${connection.name} cannot load its sessions`);
      }
      const { sessionId, cwd } = await resolveSession(id, { connection, signal });
      const { command: commandLine } = typed;
      const folder = cwd ?? prepared.flags.cwd;
      loaded = { agent: connection.name, ...(commandLine && { commandLine }), sessionId, cwd: folder };
      return { sessionId, cwd: folder };
    };
    const session = await sessions.openSession({ kind: 'load', find });
    await session.close();
    return exitStatus.done;
  });
  if (status !== exitStatus.done || loaded === undefined) return status;
  const found = await findSession(storeOf(surroundings), loaded);
  // Why there is none was said when it could not be kept.
  return found === undefined ? exitStatus.failed : showSession(found.key, {}, surroundings);
}

/** `parley sessions fork ID --agent NAME`: lets the agent begin a new session with what another one knows. */
export async function forkAgentSession(
  id: string,
  typed: TypedAgentFlags,
  surroundings: Surroundings,
): Promise<number> {
  requireAgent('fork', typed);
  return atAgent(typed, surroundings, async (asked) => {
    const { connection } = asked;
    if (!offersFork(connection.capabilities)) {
      throw new CliError('not-offered', `fork: ${connection.name} does not fork its sessions`);
    }
    const { sessionId, cwd = path.resolve(surroundings.cwd, typed.cwd ?? '.') } = await resolveSession(
      id,
      asked,
    );
    const forked = await forkSession(connection, { sessionId, cwd }, { signal: asked.signal });
    const writer = createWriter(surroundings.stdout);
    writer.write(`${toPlainLine(forked)}\n`);
    await writer.flush();
    return exitStatus.done;
  });
}

/** `parley sessions delete ID… --agent NAME`: lets the agent delete what it keeps. */
export async function deleteAgentSessions(
  ids: readonly string[],
  typed: TypedAgentFlags & { readonly yes?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  if (ids.length === 0) throw new CliError('usage', 'delete: expected the ids of sessions of the agent');
  return atAgent(typed, surroundings, async (asked) => {
    const { connection } = asked;
    if (connection.capabilities.sessionCapabilities?.delete === undefined) {
      throw new CliError('not-offered', `delete: ${connection.name} does not delete its sessions`);
    }
    const wanted: ListedSession[] = [];
    for (const id of ids) wanted.push(await resolveSession(id, asked));
    const lines = wanted.map(({ sessionId, title = '' }) => `${sessionId}  ${toPlainLine(title)}`.trimEnd());
    if (typed.yes !== true && !(await confirmDeletion(lines, surroundings, asked.signal))) {
      return exitStatus.done;
    }
    for (const { sessionId } of wanted) {
      await connection.agent.request('session/delete', { sessionId }, { signal: asked.signal });
      surroundings.stderr.write(`parley: deleted ${toPlainLine(sessionId)}\n`);
    }
    return exitStatus.done;
  });
}

/** A session of the agent's. */
export interface ListedSession extends FoundSession {
  readonly title?: string;
}

/** The session of an id, or of its beginning where the agent lists what it keeps. */
export async function resolveSession(
  id: string,
  { connection, signal }: Pick<AskedAgent, 'connection' | 'signal'>,
): Promise<ListedSession> {
  if (!listsSessions(connection)) return { sessionId: id };
  const matching: SessionInfo[] = [];
  for await (const session of listedSessions(connection, { signal, archived: 'include' })) {
    if (session.sessionId === id) return session;
    if (session.sessionId.startsWith(id)) matching.push(session);
  }
  const [only, ...others] = matching;
  if (others.length > 0) {
    throw new CliError('usage', `"${id}" matches ${String(matching.length)} sessions; enter more characters`);
  }
  // An agent may know a session that it does not list.
  return only ?? { sessionId: id };
}

/** @throws {CliError} The agent does not declare the method. */
export function requireOffered(
  { name, capabilities }: AgentConnection,
  method: 'session/archive' | 'session/set_title',
): void {
  if (offersUnstable(capabilities, method)) return;
  throw new CliError(
    'not-offered',
    method === 'session/archive'
      ? `archive: ${name} has no archive`
      : `rename: ${name} does not store titles`,
  );
}

export function requireAgent(command: string, typed: TypedAgentFlags): void {
  if (asksAgent(typed)) return;
  throw new CliError('usage', `${command}: name the agent with --agent NAME or a command after --`);
}

/**
 * Whether a session is open, such as in another program, or only saved. Undefined if the agent does not say. Never rejects, unless
 * the signal is aborted.
 */
async function statusOf(
  connection: AgentConnection,
  sessionId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!offersUnstable(connection.capabilities, 'session/status')) return undefined;
  try {
    return (await requestUnstable(connection, 'session/status', { sessionId }, { signal })).status;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function toRow(
  { sessionId, updatedAt, status, cwd, title }: SessionInfo & { readonly status?: string },
  hasStatus: boolean,
): readonly string[] {
  const time = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
  return [
    toPlainLine(sessionId),
    Number.isNaN(time) ? '' : toAge(time, Date.now()),
    ...(hasStatus ? [toPlainLine(status ?? '', 16)] : []),
    toPlainLine(fromHome(cwd), 1000),
    toPlainLine(title ?? ''),
  ];
}
