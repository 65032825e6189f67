import { HostError, type AgentHandle } from '@parley/host';

/**
 * Has an agent make a session of its own that begins as another one is. Gives what it calls that.
 *
 * @throws {RpcError} It does not want to.
 * @throws {HostError} `invalid-answer`
 */
export async function forkSession(
  { agent }: AgentHandle,
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
): Promise<string> {
  // ACP's draft; the stable protocol does not know it yet.
  const answer = await agent.requestExtension('session/fork', { sessionId, cwd, mcpServers: [] });
  const forked =
    typeof answer === 'object' && answer !== null && 'sessionId' in answer ? answer.sessionId : '';
  if (typeof forked === 'string' && forked !== '') return forked;
  throw new HostError('invalid-answer', 'session/fork: the agent did not say what it calls the new session');
}
