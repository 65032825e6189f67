import { withTraceContext, type McpServer, type Meta } from '@parley/acp';
import { Deadline } from '@parley/wire';
import { openFiles, WorkspaceError, type Files } from '@parley/workspace';
import { HostError } from '../../host-error.ts';
import type { OpenSessionOptions, AgentSession } from '../agent-session.ts';
import { ConnectedSession } from '../connected-session.ts';
import type { SessionAgent } from '../session-agent.ts';
import { createSessionTrace } from '../session-trace.ts';
import { explainOpening } from './explain-opening.ts';
import { requestNewSession } from './request-new-session.ts';
import type { SessionTarget } from './session-target.ts';

/** Opens a session: a new one, or one that the agent keeps. */
export async function openSessionOn(
  target: SessionTarget,
  options: OpenSessionOptions,
): Promise<AgentSession> {
  const { resume, signal } = options;
  const { agent, sessions, host } = target;
  const files = await openDirectories(options);
  checkHeld(files, host);
  const method = resume === undefined ? 'session/new' : methodToResume(agent, resume.by);
  host.emit({ type: 'session-opening', agent: host.agentName, limitMs: agent.openTimeoutMs });
  try {
    if (resume === undefined || method === 'session/new') {
      return await sessions.whileOpening(() => openNew(target, files, options));
    }
    return await openKept(method, resume.sessionId, target, files, options);
  } catch (error) {
    host.emit({ type: 'session-not-opened', agent: host.agentName });
    throw await explainOpening(error, method, target, signal);
  }
}

async function openNew(
  target: SessionTarget,
  files: Files,
  options: OpenSessionOptions,
): Promise<AgentSession> {
  const { agent, sessions, host, elsewhere } = target;
  const { cwd, additionalDirectories = [], signal } = options;
  const trace = createSessionTrace(agent.trace);
  const params = withTraceContext(paramsOf(options), trace.next());
  const response = await requestNewSession(params, target, signal);
  const id = response.sessionId;
  elsewhere.begun(id);
  const session = new ConnectedSession({ id, cwd, additionalDirectories, files, host, agent, trace });
  sessions.add(session, 'new', response);
  return session;
}

async function openKept(
  method: 'session/resume' | 'session/load',
  id: string,
  { agent, sessions, host, elsewhere }: SessionTarget,
  files: Files,
  options: OpenSessionOptions,
): Promise<AgentSession> {
  const { cwd, additionalDirectories = [], signal } = options;
  await elsewhere.ask(id, signal);
  const trace = createSessionTrace(agent.trace);
  const session = new ConnectedSession({ id, cwd, additionalDirectories, files, host, agent, trace });
  host.answers.continueSession(id);
  // Before it answers, the agent may replay the history, and ask for files.
  sessions.add(session, method === 'session/load' ? 'loaded' : 'resumed');
  const params = withTraceContext({ sessionId: id, ...paramsOf(options) }, trace.next());
  // A long history takes its time: only silence counts.
  const deadline = new Deadline({ idleTimeoutMs: agent.openTimeoutMs });
  const settled = sessions.watchOpening(deadline);
  try {
    const call = { deadline, ...(signal !== undefined && { signal }) };
    const endReplay = method === 'session/load' ? session.beginReplay() : undefined;
    const response = await agent.peer.request(method, params, call).finally(endReplay);
    session.begin(response);
    // After a replayed history: above it, users would not see it.
    elsewhere.continued(id);
    return session;
  } catch (error) {
    sessions.remove(id);
    await session.release('not-opened');
    throw error;
  } finally {
    settled();
  }
}

function methodToResume(
  { peer: { capabilities } }: SessionAgent,
  by?: 'resume' | 'load',
): 'session/resume' | 'session/load' {
  const canResume = capabilities.sessionCapabilities?.resume !== undefined;
  if (canResume && by !== 'load') return 'session/resume';
  if (capabilities.loadSession === true && by !== 'resume') return 'session/load';
  throw new HostError('not-supported', `the agent cannot ${by ?? 'resume or load'} a session`);
}

async function openDirectories({ cwd, additionalDirectories = [] }: OpenSessionOptions): Promise<Files> {
  try {
    return await openFiles({ cwd, directories: additionalDirectories });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    throw new HostError('invalid-directory', error.message, { cause: error });
  }
}

/** Throws if a directory is outside the folders for which the sandbox was created. */
function checkHeld({ directories }: Files, { sandbox, agentName }: SessionTarget['host']): void {
  const other = directories.find((directory) => sandbox?.plan.folders.includes(directory) === false);
  if (sandbox === undefined || other === undefined) return;
  const what = `open the session in ${JSON.stringify(other)}`;
  const reason = `the sandbox of ${JSON.stringify(agentName)} was opened for ${sandbox.plan.folders.join(', ')}`;
  throw new HostError('not-held', `${what}: ${reason}. Start it in that folder, for example with --cwd`);
}

function paramsOf({ cwd, additionalDirectories = [], mcpServers = [], meta }: OpenSessionOptions): {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  readonly additionalDirectories?: readonly string[];
  readonly _meta?: Meta;
} {
  return {
    cwd,
    mcpServers,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
