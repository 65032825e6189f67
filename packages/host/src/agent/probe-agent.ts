import { untilAborted } from '@parley/wire';
import type { AgentSession } from '../agent-session/agent-session.ts';
import { settingsOf, type Settings } from '../agent-session/settings/settings.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { AgentOptions } from './agent-options.ts';
import type { AgentSpec } from './agent-spec.ts';
import { launchAgent, type LaunchPlace } from './launch-agent.ts';

/** How long an agent may take to close a session and to delete it. */
const leaveMs = 5000;

/** What a probe has found out. */
export interface AgentProbe {
  /** The agent, which was ended. */
  readonly agent: Pick<AgentConnection, 'info' | 'protocolVersion' | 'capabilities' | 'authMethods'>;
  /** What its session lets a client set, or why it opened none. */
  readonly opened: { readonly settings: Settings } | { readonly failure: unknown };
}

/** How an agent is probed. Nothing is allowed, and no user is asked. */
export interface ProbeAgentOptions extends Omit<
  AgentOptions,
  'name' | 'signIn' | 'policy' | 'interact' | 'store' | 'answersFile'
> {
  /** It runs. */
  readonly onAgent?: (agent: AgentConnection) => void;
}

/**
 * Starts an agent, opens a session to see what it offers, and ends it. The session is deleted, or at least closed, where the
 * agent can.
 *
 * @throws {HostError} It did not start.
 */
export async function probeAgent(
  spec: AgentSpec,
  place: LaunchPlace,
  { onAgent, ...options }: ProbeAgentOptions,
): Promise<AgentProbe> {
  await using agent = await launchAgent(spec, place, {
    ...options,
    policy: { approve: { level: 'none', given: true }, rules: [] },
  });
  onAgent?.(agent);
  const { signal } = options;
  try {
    const session = await agent.openSession({ cwd: place.cwd, ...(signal !== undefined && { signal }) });
    const settings = settingsOf(session);
    await leave(agent, session, signal);
    return { agent, opened: { settings } };
  } catch (failure) {
    return { agent, opened: { failure } };
  }
}

/** Never rejects: what the agent does not do, it keeps. */
async function leave(agent: AgentConnection, session: AgentSession, until?: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(leaveMs);
  const signal = until === undefined ? timeout : AbortSignal.any([until, timeout]);
  try {
    await untilAborted(session.close(), signal);
    if (agent.capabilities.sessionCapabilities?.delete === undefined) return;
    await agent.agent.request('session/delete', { sessionId: session.id }, { signal });
  } catch {
    // Its process is ended next, and needs no notification.
  }
}
