import { openNetworkProxy, type NetworkProxy } from '@parley/workspace';
import type { SessionTable } from '../agent-session/session-table.ts';
import type { HostContext } from '../host-context.ts';
import { NetworkAccess, type NetworkLimits } from './network-access.ts';

/** The hosts that a sandboxed agent may reach, through a proxy of ours. */
export interface AgentNetwork extends Pick<NetworkProxy, 'socketPath' | 'takeReport'>, AsyncDisposable {
  /** Judges connections in these sessions from now on. Until then, only the listed hosts are reached. */
  serve(sessions: SessionTable, host: HostContext): void;
  /** Closes all connections. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the network of a sandboxed agent, before its process is started.
 *
 * @param hosts Each `host`, `host:port` or `*.host`; further hosts are permission requests.
 */
export async function openAgentNetwork(
  hosts: readonly string[],
  limits: NetworkLimits = {},
): Promise<AgentNetwork> {
  const closing = new AbortController();
  const access = new NetworkAccess({ hosts, closed: closing.signal, limits });
  const proxy = await openNetworkProxy({ allow: (request) => access.allow(request) });
  const close = async (): Promise<void> => {
    closing.abort();
    await proxy.close();
  };
  return {
    socketPath: proxy.socketPath,
    takeReport: () => proxy.takeReport(),
    serve(sessions, host) {
      access.serve({ host, session: () => sessions.current, opened: sessions.opened });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
