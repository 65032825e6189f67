import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { McpServer } from '@parley/acp';
import { defaultLimits } from '../limits.ts';
import { createListener } from '../node-http/listener.ts';
import { ApplicationTools } from './application-tools.ts';
import type { ToolConnections } from './tool-connections.ts';
import type { ToolEndpoint, ToolEndpointOptions, ToolEndpoints } from './tool-endpoint.ts';
import { toolProcessScript } from './tool-process.ts';
import { toolServerName } from './tool-server-name.ts';

/** How endpoints behave. */
export interface ToolEndpointsOptions {
  /** How often an agent that asked for it hears that its call still waits, in milliseconds. @default 10_000 */
  readonly progressMs?: number;
}

/** Serves the applications' tools of all sessions from one port of the loopback address. */
export function createToolEndpoints({ progressMs = 10_000 }: ToolEndpointsOptions = {}): ToolEndpoints {
  const endpoints = new LoopbackEndpoints(progressMs);
  const close = (): Promise<void> => endpoints.close();
  return { open: (options) => endpoints.open(options), close, [Symbol.asyncDispose]: close };
}

class LoopbackEndpoints {
  /** By a digest of the token, so that looking one up takes no longer for one that is nearly right. */
  readonly #connections = new Map<string, ToolConnections>();
  readonly #open = new Set<ToolEndpoint>();
  readonly #progressMs: number;
  #listening: Promise<Listening> | undefined;
  #isClosed = false;

  constructor(progressMs: number) {
    this.#progressMs = progressMs;
  }

  async open(options: ToolEndpointOptions): Promise<ToolEndpoint> {
    // Loading it takes a fifth of a second, which most sessions need not spend.
    const { ToolConnections } = await import('./tool-connections.ts');
    this.#listening ??= this.#listen();
    const { url } = await this.#listening;
    if (this.#isClosed) throw new Error('open an endpoint for tools: the endpoints are closed');
    const tools = new ApplicationTools(options);
    const connections = new ToolConnections(tools, { progressMs: this.#progressMs });
    const token = randomBytes(32).toString('base64url');
    this.#connections.set(digest(token), connections);
    const close = async (): Promise<void> => {
      this.#open.delete(endpoint);
      this.#connections.delete(digest(token));
      tools.close();
      await connections.close();
    };
    const endpoint: ToolEndpoint = {
      mcpServer: (capabilities) => toMcpServer(url, token, capabilities?.http === true),
      setTools: (next) => {
        tools.replace(next);
        connections.notify();
      },
      close,
      [Symbol.asyncDispose]: close,
    };
    this.#open.add(endpoint);
    return endpoint;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((endpoint) => endpoint.close()));
    const listening = await this.#listening;
    listening?.server.close();
    listening?.server.closeAllConnections();
  }

  async #listen(): Promise<Listening> {
    try {
      return await this.#startListening();
    } catch (error) {
      this.#listening = undefined;
      throw error;
    }
  }

  async #startListening(): Promise<Listening> {
    const server = createServer(
      createListener((request) => this.#fetch(request), {
        receiveMs: defaultLimits.receiveMs,
        onFault: () => {
          // The agent hears of it by the status.
        },
      }),
    );
    server.on('upgrade', (incoming, socket, head) => {
      this.#upgrade(incoming, socket, head);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port: 0 }, resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return { server, url: `http://127.0.0.1:${String(port)}/` };
  }

  async #fetch(request: Request): Promise<Response> {
    const connections = this.#connectionsFor(request.headers.get('authorization'));
    return connections?.fetch(request) ?? new Response(null, { status: 401 });
  }

  #upgrade({ headers }: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {
      // It closes then.
    });
    const connections = headers.upgrade === 'mcp' ? this.#connectionsFor(headers.authorization) : undefined;
    if (connections === undefined) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: mcp\r\n\r\n');
    socket.unshift(head);
    connections.serve(socket);
  }

  #connectionsFor(authorization: string | null = ''): ToolConnections | undefined {
    const [, token] = /^Bearer (\S+)$/u.exec(authorization ?? '') ?? [];
    return token === undefined ? undefined : this.#connections.get(digest(token));
  }
}

interface Listening {
  readonly server: Server;
  readonly url: string;
}

function toMcpServer(url: string, token: string, isHttp: boolean): McpServer {
  if (isHttp) {
    const headers = [{ name: 'Authorization', value: `Bearer ${token}` }];
    return { type: 'http', name: toolServerName, url, headers };
  }
  return {
    name: toolServerName,
    command: process.execPath,
    args: ['-e', toolProcessScript],
    env: [
      { name: 'PARLEY_TOOLS_URL', value: url },
      { name: 'PARLEY_TOOLS_TOKEN', value: token },
    ],
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
