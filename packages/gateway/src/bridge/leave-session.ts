import type { AgentConnection, AgentSession } from '@parley/host';
import { untilAborted } from '@parley/wire';

/** How long an agent may take to close a session and to delete it. */
const leaveMs = 5000;

/** Closes a session of an agent, and has it deleted where the agent can. Never rejects: what it does not do, it keeps. */
export async function leaveSession(
  handle: AgentConnection,
  session: AgentSession,
  until?: AbortSignal,
): Promise<void> {
  const timeout = AbortSignal.timeout(leaveMs);
  const signal = until === undefined ? timeout : AbortSignal.any([until, timeout]);
  try {
    await untilAborted(session.close(), signal);
    const { agent, capabilities } = handle;
    if (capabilities.sessionCapabilities?.delete === undefined) return;
    await agent.request('session/delete', { sessionId: session.id }, { signal });
  } catch {
    // Its process is ended next, and needs no notification.
  }
}
