import type { AgentHandle, Session } from '@parley/host';

/** How long an agent may take to delete a session. */
const deleteTimeoutMs = 5000;

/** Closes a session of an agent, and has it deleted where the agent can. Never rejects for what the agent does not do. */
export async function leaveSession({ agent, capabilities }: AgentHandle, session: Session): Promise<void> {
  await session.close();
  if (capabilities.sessionCapabilities?.delete === undefined) return;
  try {
    await agent.request('session/delete', { sessionId: session.id }, { timeoutMs: deleteTimeoutMs });
  } catch {
    // It keeps what it has: there is nobody left to be told.
  }
}
