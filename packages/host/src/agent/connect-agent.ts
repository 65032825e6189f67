import type { AgentConnection } from './agent-connection.ts';
import type { ConnectAgentOptions } from './agent-options.ts';
import { startAgent } from './start-agent.ts';

/**
 * Introduces both sides to each other over a transport: an agent in this process, or a remote one. If it throws,
 * the transport is closed.
 *
 * @throws {HostError} as `openAgent` does
 */
export function connectAgent(options: ConnectAgentOptions): Promise<AgentConnection> {
  const { name = 'the agent', transport } = options;
  return startAgent({ name, transport, stderrTail: () => '' }, options);
}
