import type { JSONRPCMessage, McpServer, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { MessageMcpResponse } from '@parley/acp/unstable';
import type { McpOverAcpRequest } from '@parley/host';
import { untilAborted } from '@parley/wire';

/** The id of the only request of a server. */
const id = 1;

/**
 * Answers one request of MCP with a server of its own, in any revision: requests over ACP do not depend on each other.
 * Rejects when its signal is aborted.
 */
export async function answerOverAcp(
  { method, params, signal, notify }: McpOverAcpRequest,
  createServer: () => McpServer,
): Promise<MessageMcpResponse> {
  signal.throwIfAborted();
  const transport = new RequestTransport(notify);
  const served = serveStdio(createServer, { transport });
  try {
    transport.onmessage?.({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
    return await untilAborted(transport.response, signal);
  } finally {
    // Also cancels a call that is running.
    await served.close();
  }
}

/** Carries one request, the notifications that belong to it, and its response. */
class RequestTransport implements Transport {
  readonly response: Promise<MessageMcpResponse>;
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #notify: McpOverAcpRequest['notify'];
  #respond: (response: MessageMcpResponse) => void = () => undefined;

  constructor(notify: McpOverAcpRequest['notify']) {
    this.#notify = notify;
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  async start(): Promise<void> {
    // There is nothing to open.
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('error' in message) this.#respond({ error: message.error });
    else if ('result' in message) this.#respond({ result: message.result });
    // There is no way to ask the agent anything.
    else if (!('id' in message)) await this.#notify(message.method, message.params);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
