import type { AgentCapabilities } from '@parley/acp';
import type { AgentConnection } from '../../agent/agent-connection.ts';
import { HostError } from '../../host-error.ts';
import type { SignalOptions } from '../agent-session.ts';

/** Checks whether an agent supports forking a session. Part of the unstable schema only. */
export function offersFork({ sessionCapabilities }: AgentCapabilities): boolean {
  const offered: object = sessionCapabilities ?? {};
  return 'fork' in offered && typeof offered.fork === 'object' && offered.fork !== null;
}

/**
 * Forks a session on the agent, and returns the id of the new one.
 *
 * @throws {RpcError} The agent rejected it.
 * @throws {HostError} `invalid-answer`
 */
export async function forkSession(
  { agent, name }: AgentConnection,
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
  options: SignalOptions = {},
): Promise<string> {
  // Of the unstable protocol, which the host does not declare as a whole.
  const answer = await agent.requestExtension('session/fork', { sessionId, cwd, mcpServers: [] }, options);
  const forked =
    typeof answer === 'object' && answer !== null && 'sessionId' in answer ? answer.sessionId : '';
  if (typeof forked === 'string' && forked !== '') return forked;
  throw new HostError('invalid-answer', `session/fork: ${name} did not return the id of the new session`);
}
