import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Tool, Transport } from '@modelcontextprotocol/client';
import type { HttpHeader, McpServer } from '@parley/acp';
import { atMost, isJsonObject, systemClock } from '@parley/wire';
import type { ConnectMcpOptions } from '../../environment.ts';
import type { McpCall, McpConnection, McpResult, McpToolInfo } from '../../mcp/mcp-connection.ts';
import { withoutProviderKeys } from '../provider-keys.ts';
import { ProcessMcpTransport } from './process-mcp-transport.ts';
import { toContentBlock } from './to-content-block.ts';

/** Connects to an MCP server and lists its tools. On failure, everything is closed. */
export async function connectMcpServer(
  server: McpServer,
  options: ConnectMcpOptions,
): Promise<McpConnection> {
  const transport = createTransport(server, options.cwd);
  const connection = new OpenConnection(transport);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.startMs)]);
  try {
    await Promise.race([connection.open(options.startMs, signal), rejectsAt(signal, options)]);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function rejectsAt(signal: AbortSignal, { startMs, signal: given }: ConnectMcpOptions): Promise<never> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  throw new Error(given.aborted ? 'the session was closed' : `no answer in ${String(startMs)} ms`);
}

function createTransport(server: McpServer, cwd: string): Transport {
  if (server.type === undefined) {
    return new ProcessMcpTransport({
      command: server.command,
      args: server.args,
      cwd,
      env: {
        ...withoutProviderKeys(process.env),
        ...Object.fromEntries(server.env.map(({ name, value }) => [name, value])),
      },
    });
  }
  switch (server.type) {
    case 'http':
      return new StreamableHTTPClientTransport(new URL(server.url), {
        requestInit: toRequest(server.headers),
      });
    case 'sse':
      // oxlint-disable-next-line typescript/no-deprecated -- servers speak it still, and the protocol lists it
      return new SSEClientTransport(new URL(server.url), { requestInit: toRequest(server.headers) });
  }
}

function toRequest(headers: readonly HttpHeader[]): RequestInit {
  return { headers: headers.map(({ name, value }): [string, string] => [name, value]) };
}

/** Time limit for a server over HTTP to end its session. */
const sessionEndMs = 500;

class OpenConnection implements McpConnection {
  readonly #transport: Transport;
  readonly #client: Client;
  #tools: readonly McpToolInfo[] = [];
  #state: 'new' | 'open' | 'closed' = 'new';

  constructor(transport: Transport) {
    this.#transport = transport;
    this.#client = new Client(
      { name: 'parley', version: '0.1.0' },
      {
        listChanged: {
          tools: {
            onChanged: (error, tools) => {
              if (error === null && tools !== null) this.#tools = tools.map(toInfo);
            },
          },
        },
      },
    );
    this.#client.onclose = () => {
      this.#state = 'closed';
    };
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get tools(): readonly McpToolInfo[] {
    return this.#tools;
  }

  async open(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await this.#client.connect(this.#transport, { timeout: timeoutMs, signal });
    if (this.#client.getServerCapabilities()?.tools !== undefined) {
      const { tools } = await this.#client.listTools(undefined, { timeout: timeoutMs, signal });
      this.#tools = tools.map(toInfo);
    }
    if (this.#state === 'new') this.#state = 'open';
  }

  async callTool(call: McpCall): Promise<McpResult> {
    const result = await this.#client.callTool(
      { name: call.name, arguments: { ...call.arguments }, ...(call.meta && { _meta: { ...call.meta } }) },
      {
        signal: call.signal,
        timeout: call.idleMs,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message }) => {
          const count = total === undefined ? String(progress) : `${String(progress)} of ${String(total)}`;
          call.onProgress(message ?? count);
        },
      },
    );
    return {
      content: result.content.map(toContentBlock),
      ...(isJsonObject(result.structuredContent) && { structured: result.structuredContent }),
      isError: result.isError === true,
    };
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    if (this.#transport instanceof StreamableHTTPClientTransport) {
      await atMost(sessionEndMs, systemClock, this.#transport.terminateSession());
    }
    await this.#client.close().catch(ignore);
    // A client that never was connected does not know the transport.
    await this.#transport.close().catch(ignore);
  }
}

function toInfo({ name, title, description, inputSchema, annotations }: Tool): McpToolInfo {
  const label = title ?? annotations?.title;
  return {
    name,
    ...(label !== undefined && { title: label }),
    ...(description !== undefined && { description }),
    inputSchema: { ...inputSchema },
    isReadOnly: annotations?.readOnlyHint === true,
  };
}

function ignore(): void {
  // It is closed one way or the other.
}
