import type { Duplex } from 'node:stream';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { MessageMcpResponse } from '@parley/acp/unstable';
import type { McpOverAcpRequest } from '@parley/host';
import { answerOverAcp } from './answer-over-acp.ts';
import type { ApplicationTools } from './application-tools.ts';
import { createMcpServer, type McpServerOptions } from './mcp-server.ts';

/** Connections of one session's agent; a new one closes the oldest. */
const mostToolConnections = 16;

/** Size of a message of an agent. */
const maxToolMessageBytes: number = 16 * 1024 * 1024;

/**
 * Serves the tools of one session over MCP, in the revision of the agent: up to 2025-11-25 with an MCP session, which
 * is notified of changed tools; later ones with independent requests.
 */
export class ToolConnections {
  readonly #tools: ApplicationTools;
  readonly #options: McpServerOptions;
  readonly #requests: McpHttpHandler;
  /** Over HTTP, by the id that MCP has for it. */
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  /** The connections to notify of other tools. */
  readonly #servers = new Set<McpServer>();
  /** How each connection is closed, the oldest first. */
  readonly #closers = new Set<() => Promise<void>>();

  constructor(tools: ApplicationTools, options: McpServerOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#requests = createMcpHandler(() => createMcpServer(tools, options), {
      legacy: 'reject',
      // Clients disconnect when there are no headers for some minutes, and the answer may take longer.
      responseMode: 'sse',
      maxRequestBodySize: maxToolMessageBytes,
    });
  }

  async fetch(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: maxToolMessageBytes }))) {
      return this.#requests.fetch(request);
    }
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#beginSession(request);
    const transport = this.#sessions.get(id);
    return transport?.handleRequest(request) ?? new Response(null, { status: 404 });
  }

  /** Serves a process of the agent that passes on what it reads and writes. */
  serve(stream: Duplex): void {
    const handle = serveStdio(() => this.#createServer(), {
      transport: new StdioServerTransport(stream, stream, { maxBufferSize: maxToolMessageBytes }),
    });
    const close = async (): Promise<void> => {
      await handle.close();
      stream.destroy();
    };
    this.#keep(close);
    stream.once('end', () => stream.end());
    stream.once('close', () => {
      this.#closers.delete(close);
      handle.close().catch(ignore);
    });
  }

  /** Answers a request that came over ACP, in the revision of MCP that it names. */
  answer(request: McpOverAcpRequest): Promise<MessageMcpResponse> {
    return answerOverAcp(request, () => createMcpServer(this.#tools, this.#options));
  }

  /** The list of tools is another one. */
  notify(): void {
    this.#requests.notify.toolsChanged();
    for (const { server } of this.#servers) server.sendToolListChanged().catch(ignore);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#requests.close(), ...[...this.#closers].map((close) => close())]);
  }

  async #beginSession(request: Request): Promise<Response> {
    const server = this.#createServer();
    const close = (): Promise<void> => server.close();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, transport);
        this.#keep(close);
      },
      maxRequestBodySize: maxToolMessageBytes,
    });
    transport.onclose = () => {
      this.#closers.delete(close);
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #createServer(): McpServer {
    const server = createMcpServer(this.#tools, this.#options);
    server.server.onclose = () => {
      this.#servers.delete(server);
    };
    this.#servers.add(server);
    return server;
  }

  #keep(close: () => Promise<void>): void {
    this.#closers.add(close);
    const [oldest] = this.#closers;
    if (oldest === undefined || this.#closers.size <= mostToolConnections) return;
    this.#closers.delete(oldest);
    oldest().catch(ignore);
  }
}

function ignore(): void {
  // Who is not connected yet, or no more, asks for the list anyway, and is closed already.
}
