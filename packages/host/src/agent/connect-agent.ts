import type { AgentConnection } from './agent-connection.ts';
import type { ConnectAgentOptions } from './agent-options.ts';
import { startAgent } from './start-agent.ts';

/**
 * Connects to an agent over a transport, in this process or remote. If it throws, the transport is closed.
 *
 * @throws {HostError} Like `openAgent`.
 */
export function connectAgent(options: ConnectAgentOptions): Promise<AgentConnection> {
  const { name = 'the agent', transport } = options;
  return startAgent({ name, transport, stderrTail: () => '' }, options);
}
