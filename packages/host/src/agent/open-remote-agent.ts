import type { AgentConnection } from './agent-connection.ts';
import type { OpenRemoteAgentOptions } from './agent-options.ts';
import { connectAgent } from './connect-agent.ts';
import { openRemote } from './remote/open-remote.ts';
import { parseRemoteAddress } from './remote/remote-address.ts';

/**
 * Connects to a remote agent over streamable HTTP or a WebSocket. If it throws, the connection is closed.
 *
 * @throws {HostError} Like `openAgent`.
 */
export async function openRemoteAgent(options: OpenRemoteAgentOptions): Promise<AgentConnection> {
  const { url, headers, startTimeoutMs, signal } = options;
  const name = options.name ?? parseRemoteAddress(url)?.name ?? 'the agent';
  const transport = await openRemote({
    url,
    ...(headers !== undefined && { headers }),
    ...(startTimeoutMs !== undefined && { openTimeoutMs: startTimeoutMs }),
    ...(signal !== undefined && { signal }),
  });
  return connectAgent({ ...options, name, transport });
}
