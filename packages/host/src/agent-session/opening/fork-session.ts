import type { AgentCapabilities } from '@parley/acp';
import type { AgentConnection } from '../../agent/agent-connection.ts';
import { HostError } from '../../host-error.ts';
import type { SignalOptions } from '../agent-session.ts';

/** Whether an agent makes sessions of its own that begin as another one is. Known to the unstable schema only. */
export function offersFork({ sessionCapabilities }: AgentCapabilities): boolean {
  const offered: object = sessionCapabilities ?? {};
  return 'fork' in offered && typeof offered.fork === 'object' && offered.fork !== null;
}

/**
 * Has an agent make a session of its own that begins as another one is. Gives what it calls that.
 *
 * @throws {RpcError} It does not want to.
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
  throw new HostError('invalid-answer', `session/fork: ${name} did not say what the new session is called`);
}
