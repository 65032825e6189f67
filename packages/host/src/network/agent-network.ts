import { openNetworkProxy, type NetworkProxy, type NetworkReport } from '@parley/workspace';
import type { SessionTable } from '../agent-session/session-table.ts';
import type { HostContext } from '../host-context.ts';
import { NetworkAccess, type NetworkLimits } from './network-access.ts';

/** The hosts that a sandboxed agent may reach, through a proxy of ours. */
export class AgentNetwork implements AsyncDisposable {
  readonly #access: NetworkAccess;
  readonly #proxy: NetworkProxy;
  readonly #closing: AbortController;

  constructor(access: NetworkAccess, proxy: NetworkProxy, closing: AbortController) {
    this.#access = access;
    this.#proxy = proxy;
    this.#closing = closing;
  }

  /** Judges connections in these sessions from now on. Until then, only the listed hosts are reached. */
  static serve(network: AgentNetwork, sessions: SessionTable, host: HostContext): void {
    network.#access.serve({ host, session: () => sessions.current, opened: sessions.opened });
  }

  /** The socket on which the proxy listens. */
  get socketPath(): string {
    return this.#proxy.socketPath;
  }

  /** Returns the hosts used since the last call; undefined if there were none. */
  takeReport(): NetworkReport | undefined {
    return this.#proxy.takeReport();
  }

  /** Closes all connections. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#proxy.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
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
  return new AgentNetwork(access, proxy, closing);
}
