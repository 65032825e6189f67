import { RpcError } from '@parley/wire';
import type { OpenSessionOptions, AgentSession } from '../../agent-session/agent-session.ts';
import type { SessionRecoveredEvent } from '../../event/session-event.ts';
import { HostError } from '../../host-error.ts';
import type { AgentConnection } from '../agent-connection.ts';

/** A restarted agent, or its supervisor. */
export type SessionOpener = Pick<AgentConnection, 'capabilities' | 'openSession'>;

/** A recovered session. */
export interface RecoveredSession {
  readonly session: AgentSession;
  readonly by: SessionRecoveredEvent['by'];
}

/**
 * Opens a session again after a restart of its agent: resumes it, else loads it, else opens a new one.
 *
 * @throws {HostError} The agent has exited, or requires a sign-in, so that no attempt can succeed.
 */
export async function recoverSession(
  agent: SessionOpener,
  sessionId: string,
  options: OpenSessionOptions,
): Promise<RecoveredSession> {
  for (const by of waysToContinue(agent)) {
    try {
      return { session: await agent.openSession({ ...options, resume: { sessionId, by } }), by };
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return { session: await agent.openSession(options), by: 'new' };
}

function waysToContinue({ capabilities }: SessionOpener): readonly ('resume' | 'load')[] {
  return [
    ...(capabilities.sessionCapabilities?.resume === undefined ? [] : (['resume'] as const)),
    ...(capabilities.loadSession === true ? (['load'] as const) : []),
  ];
}

/** Whether the agent is running and rejected the request. */
function isRefusal(error: unknown): boolean {
  if (error instanceof RpcError) return true;
  return error instanceof HostError && (error.code === 'invalid-answer' || error.code === 'open-timeout');
}
