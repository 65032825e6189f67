import type { AgentConnection } from '../../agent/agent-connection.ts';
import type { OpenSessionOptions, AgentSession } from '../agent-session.ts';

/**
 * Opens a session: a new one, or one the agent keeps. What the agent may do as a client's guest (files, terminals)
 * is confined to the session's directories.
 */
export function openSession(connection: AgentConnection, options: OpenSessionOptions): Promise<AgentSession> {
  return connection.openSession(options);
}
