import type { ProviderInfo } from '@parley/acp/unstable';
import { untilAborted } from '@parley/wire';
import type { AgentSession } from '../agent-session/agent-session.ts';
import { settingsOf, type Settings } from '../agent-session/settings/settings.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { AgentOptions } from './agent-options.ts';
import type { AgentSpec } from './agent-spec.ts';
import { launchAgent, type LaunchPlace } from './launch-agent.ts';
import { readAuthStatus, type AuthStatus } from './unstable/auth-status.ts';
import { readProviders } from './unstable/providers.ts';

/** Time limit for closing and deleting a session. */
const leaveMs = 5000;

/** Time limit for the reports of sign-in state and providers. */
const reportMs = 5000;

/** The result of a probe. */
export interface AgentProbe {
  /** The agent, which has been ended. */
  readonly agent: Pick<
    AgentConnection,
    'info' | 'protocolVersion' | 'capabilities' | 'authMethods' | 'sandbox' | 'stderrTail'
  >;
  /** From its start to its answer to `initialize`. */
  readonly startMs: number;
  /** The settings of its session, or why it opened none. */
  readonly opened: { readonly settings: Settings; readonly openMs: number } | { readonly failure: unknown };
  /** Whether the user is signed in, and as whom, if the agent reports it. */
  readonly authStatus?: AuthStatus;
  /** The model providers that a client can configure, if the agent offers that. */
  readonly providers?: readonly ProviderInfo[];
}

/** Options of a probe. Permission requests are rejected, and no user is asked. */
export interface ProbeAgentOptions extends Omit<
  AgentOptions,
  'name' | 'signIn' | 'policy' | 'interact' | 'store' | 'answersFile'
> {
  /** Called when the agent is running. */
  readonly onAgent?: (agent: AgentConnection) => void;
}

/**
 * Starts an agent, opens a session to read its settings, and ends the agent. The session is deleted, or at least
 * closed, if the agent supports that.
 *
 * @throws {HostError} The agent did not start.
 */
export async function probeAgent(
  spec: AgentSpec,
  place: LaunchPlace,
  { onAgent, ...options }: ProbeAgentOptions,
): Promise<AgentProbe> {
  const sinceStart = stopwatch();
  await using agent = await launchAgent(spec, place, {
    ...options,
    policy: { approve: { level: 'none', given: true }, rules: [] },
  });
  const startMs = sinceStart();
  onAgent?.(agent);
  const { signal } = options;
  try {
    const sinceOpening = stopwatch();
    const session = await agent.openSession({ cwd: place.cwd, ...(signal !== undefined && { signal }) });
    const opened = { settings: settingsOf(session), openMs: sinceOpening() };
    const report = await readReport(agent, signal);
    await leave(agent, session, signal);
    return { agent, startMs, opened, ...report };
  } catch (failure) {
    return { agent, startMs, opened: { failure }, ...(await readReport(agent, signal)) };
  }
}

/** Reads what an agent reports besides its capabilities: its sign-in state, and its model providers. Never rejects. */
export async function readReport(
  agent: AgentConnection,
  signal?: AbortSignal,
): Promise<Pick<AgentProbe, 'authStatus' | 'providers'>> {
  const options = { timeoutMs: reportMs, ...(signal !== undefined && { signal }) };
  const [authStatus, providers] = await Promise.all([
    readAuthStatus(agent, options),
    readProviders(agent, options),
  ]);
  return {
    ...(authStatus !== undefined && { authStatus }),
    ...(providers !== undefined && { providers }),
  };
}

/** Closes and deletes the session, as far as the agent supports it. Never rejects. */
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

/** Returns a function that says how many milliseconds have passed. */
function stopwatch(): () => number {
  const begun = performance.now();
  return () => Math.round(performance.now() - begun);
}
