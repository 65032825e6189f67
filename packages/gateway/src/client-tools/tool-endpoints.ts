import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { McpServer } from '@parley/acp';
import { listenInSocketFolder, type SocketFolder } from '@parley/workspace';
import { defaultLimits } from '../limits.ts';
import { createListener } from '../node-http/listener.ts';
import { ApplicationTools } from './application-tools.ts';
import type { ToolConnections } from './tool-connections.ts';
import type { ToolEndpoint, ToolEndpointOptions, ToolEndpoints } from './tool-endpoint.ts';
import { toolProcessScript } from './tool-process.ts';
import { toolServerName } from './tool-server-name.ts';

/** Options of the endpoints. */
export interface ToolEndpointsOptions {
  /**
   * Interval of progress notifications for a waiting call, in milliseconds, if the agent requested them. @default
   * 10_000
   */
  readonly progressMs?: number;
}

/** Serves the tools of all sessions on one port of the loopback address, and on a socket for agents in a sandbox. */
export function createToolEndpoints({ progressMs = 10_000 }: ToolEndpointsOptions = {}): ToolEndpoints {
  const endpoints = new LoopbackEndpoints(progressMs);
  const close = (): Promise<void> => endpoints.close();
  return {
    open: (options) => endpoints.open(options),
    openSocket: () => endpoints.openSocket(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class LoopbackEndpoints {
  /** By a digest of the token, so that looking one up takes no longer for one that is nearly right. */
  readonly #connections = new Map<string, ToolConnections>();
  readonly #open = new Set<ToolEndpoint>();
  readonly #progressMs: number;
  #listening: Promise<Listening> | undefined;
  #socket: Promise<ListeningOnSocket> | undefined;
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
    const { serverName = toolServerName } = options;
    const over = new AbortController();
    const close = async (): Promise<void> => {
      over.abort();
      this.#open.delete(endpoint);
      this.#connections.delete(digest(token));
      tools.close();
      await connections.close();
    };
    const endpoint: ToolEndpoint = {
      mcpServer: (capabilities, toolSocket) =>
        toolSocket === undefined && capabilities?.http === true
          ? toHttpServer(serverName, { url, token })
          : toProcessServer(serverName, { reach: toolSocket ?? url, token }),
      overAcp: {
        name: serverName,
        signal: over.signal,
        answer: (request) => connections.answer(request),
      },
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

  async openSocket(): Promise<string> {
    this.#socket ??= this.#listenOnSocket();
    const { socketPath } = await this.#socket;
    if (this.#isClosed) throw new Error('open a socket for tools: the endpoints are closed');
    return socketPath;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((endpoint) => endpoint.close()));
    const listening = await this.#listening;
    const socket = await this.#socket;
    for (const server of [listening?.server, socket?.server]) {
      server?.close();
      server?.closeAllConnections();
    }
    await socket?.remove();
  }

  async #listen(): Promise<Listening> {
    try {
      return await this.#startListening();
    } catch (error) {
      this.#listening = undefined;
      throw error;
    }
  }

  async #listenOnSocket(): Promise<ListeningOnSocket> {
    try {
      const server = this.#createServer();
      return { ...(await listenInSocketFolder(server)), server };
    } catch (error) {
      this.#socket = undefined;
      throw error;
    }
  }

  #createServer(): Server {
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
    return server;
  }

  async #startListening(): Promise<Listening> {
    const server = this.#createServer();
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

type ListeningOnSocket = Pick<Listening, 'server'> & SocketFolder;

function toHttpServer(
  name: string,
  { url, token }: { readonly url: string; readonly token: string },
): McpServer {
  return { type: 'http', name, url, headers: [{ name: 'Authorization', value: `Bearer ${token}` }] };
}

/** @param reach The URL of the port, or the path of the socket. */
function toProcessServer(
  name: string,
  { reach, token }: { readonly reach: string; readonly token: string },
): McpServer {
  return {
    name,
    command: process.execPath,
    args: ['-e', toolProcessScript],
    env: [
      { name: 'PARLEY_TOOLS_AT', value: reach },
      { name: 'PARLEY_TOOLS_TOKEN', value: token },
    ],
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
