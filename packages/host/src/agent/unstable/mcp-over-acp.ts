import { randomUUID } from 'node:crypto';
import { Invalid, invalidParams, type AgentCapabilities, type AgentPeer, type McpServer } from '@parley/acp';
import type { MessageMcpRequest, MessageMcpResponse } from '@parley/acp/unstable';
import { valueAt } from '@parley/wire';

/** An MCP server that agents reach over the connection of ACP itself, with `mcp/message`. */
export interface McpOverAcpServer {
  /** Its name for the agent. */
  readonly name: string;
  /** Aborted when it is closed. */
  readonly signal: AbortSignal;
  /** Answers one request of MCP. Rejects only when its signal is aborted. */
  answer(request: McpOverAcpRequest): Promise<MessageMcpResponse>;
}

/** A request of MCP. Each is independent of the others. */
export interface McpOverAcpRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Aborted when the agent cancels the request, or its connection closes. */
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to the request, such as its progress. */
  readonly notify: (
    method: string,
    params: Readonly<Record<string, unknown>> | undefined,
  ) => void | Promise<void>;
}

/** The name of the request, and of the notification, in both directions. */
export const mcpMessage = 'mcp/message';

/** The MCP servers that one agent reaches over its connection. */
export class McpOverAcp {
  readonly #servers = new Map<string, McpOverAcpServer>();

  /** Whether a request is for a server that is offered here. */
  has(params: unknown): boolean {
    return this.#servers.has(String(valueAt(params, 'serverId')));
  }

  /** Offers a server until it is closed. Returns undefined if the agent does not support MCP over ACP. */
  offer(server: McpOverAcpServer, capabilities: AgentCapabilities): McpServer | undefined {
    if (valueAt(capabilities, 'mcpCapabilities', 'acp') !== true) return undefined;
    const serverId = randomUUID();
    if (!server.signal.aborted) this.#servers.set(serverId, server);
    server.signal.addEventListener('abort', () => void this.#servers.delete(serverId), { once: true });
    const offered = { type: 'acp', name: server.name, serverId };
    // Only the unstable protocol has servers of this type, and the agent has declared that it reads them.
    // oxlint-disable-next-line typescript/consistent-type-assertions
    return offered as unknown as McpServer;
  }

  /**
   * Answers a request for one of the servers.
   *
   * @throws {RpcError} -32602: the request is invalid, or its server was closed.
   */
  async answer(
    raw: unknown,
    { agent, signal }: { readonly agent: AgentPeer; readonly signal: AbortSignal },
  ): Promise<MessageMcpResponse> {
    const { clientRequests } = await import('@parley/acp/unstable');
    const request: MessageMcpRequest | Invalid = clientRequests[mcpMessage].parseParams(raw);
    if (request instanceof Invalid) throw invalidParams(request.path, request.expected);
    const { serverId, requestId, method, params } = request;
    signal.throwIfAborted();
    const server = this.#servers.get(serverId);
    if (server === undefined) throw invalidParams('serverId', 'the id of an open MCP server of this client');
    return server.answer({
      method,
      ...(params !== undefined && { params }),
      signal: AbortSignal.any([signal, server.signal]),
      notify: (name, content) =>
        agent.notifyExtension(mcpMessage, {
          serverId,
          requestId,
          method: name,
          ...(content !== undefined && { params: content }),
        }),
    });
  }
}
