import type { AgentHandle } from '../agent/agent-handle.ts';
import type { OpenSessionOptions, Session } from './session.ts';

/**
 * Opens a session: a new one, or one the agent keeps. What the agent may do as a client's guest (files, terminals)
 * is confined to the session's directories.
 */
export function openSession(handle: AgentHandle, options: OpenSessionOptions): Promise<Session> {
  return handle.openSession(options);
}
