import { RpcError } from '@parley/wire';
import type { OpenSessionOptions, AgentSession } from '../../agent-session/agent-session.ts';
import type { SessionRecoveredEvent } from '../../event/session-event.ts';
import { HostError } from '../../host-error.ts';
import type { AgentConnection } from '../agent-connection.ts';

/** An agent that was started again, or what keeps it alive. */
export type SessionOpener = Pick<AgentConnection, 'capabilities' | 'openSession'>;

/** A session that is open again. */
export interface RecoveredSession {
  readonly session: AgentSession;
  readonly by: SessionRecoveredEvent['by'];
}

/**
 * Opens a session again with an agent that was started again: it resumes it, else loads it, else begins a new one.
 *
 * @throws {HostError} The agent is gone, or requires a sign-in: no other way would succeed.
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

/** The agent is there, and did not do what it was asked to. */
function isRefusal(error: unknown): boolean {
  if (error instanceof RpcError) return true;
  return error instanceof HostError && (error.code === 'invalid-answer' || error.code === 'open-timeout');
}
