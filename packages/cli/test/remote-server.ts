import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRemoteAcp, type RemoteAcp } from '@parley/acp/http';
import { serveAgent } from '@parley/agent/node';
import { defaultLimits, openHttpServer } from '@parley/gateway';
import { WebSocketServer, type WebSocket } from 'ws';

/** Our own agent with its offline model, behind a port of this machine. */
export interface RemoteServer extends AsyncDisposable {
  readonly http: string;
  readonly socket: string;
  readonly remote: RemoteAcp;
  /** Breaks every connection, without a word. */
  cut(): Promise<void>;
}

/** Serves it to clients that have the token; without one, to all. */
export async function serveRemote(token?: string): Promise<RemoteServer> {
  const stateDirectory = await mkdtemp(path.join(tmpdir(), 'parley-remote-'));
  const remote = createRemoteAcp({
    accept: (transport) => void serveAgent({ transport, stateDirectory, variables: {} }),
  });
  const sockets = new Set<WebSocket>();
  const isAllowed = (request: Request): boolean =>
    token === undefined || request.headers.get('Authorization') === `Bearer ${token}`;
  const open = (port: number): ReturnType<typeof openHttpServer> =>
    openHttpServer({
      host: '127.0.0.1',
      port,
      limits: defaultLimits,
      onFault: (error) => {
        throw error;
      },
      fetch: (request) => (isAllowed(request) ? remote.handle(request) : new Response(null, { status: 401 })),
      upgrade: async (request) => {
        const upgrade = isAllowed(request) ? remote.upgrade(request) : undefined;
        if (upgrade === undefined) return new Response(null, { status: 401 });
        return ({ request: incoming, socket, head }) => {
          new WebSocketServer({ noServer: true }).handleUpgrade(incoming, socket, head, (webSocket) => {
            sockets.add(webSocket);
            upgrade.accept(webSocket);
          });
        };
      },
    });
  let server = await open(0);
  const { port } = server;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.terminate();
    sockets.clear();
    await server.close({ graceMs: 0 });
  };
  return {
    http: `http://127.0.0.1:${port}/acp`,
    socket: `ws://127.0.0.1:${port}/acp`,
    remote,
    async cut() {
      await close();
      server = await open(port);
    },
    async [Symbol.asyncDispose]() {
      await remote.close();
      await close();
      await rm(stateDirectory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
