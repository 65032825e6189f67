import type { AgentConnection } from '../../agent/agent-connection.ts';
import type { OpenSessionOptions, AgentSession } from '../agent-session.ts';

/**
 * Opens a new or a stored session. Files and terminals that the agent uses through the client are confined to the
 * session's directories.
 */
export function openSession(connection: AgentConnection, options: OpenSessionOptions): Promise<AgentSession> {
  return connection.openSession(options);
}
