import type { ServerHttp2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { createCount } from '@parley/host';
import type { Limits } from '../limits.ts';
import type { FetchHandler, UpgradeHandler } from './handler.ts';
import { createListener } from './listener.ts';
import { createPlainServer, createTlsServer, type Certificate, type Wiring } from './node-servers.ts';
import { createUpgradeListener } from './upgrade-listener.ts';

/** Time that a connection has to send its remaining data when the server closes. */
const lingerMs = 500;

/** Options of an HTTP server. */
export interface HttpServerOptions {
  readonly fetch: FetchHandler;
  /** Handles requests to upgrade to `websocket`. */
  readonly upgrade: UpgradeHandler;
  /** Enables HTTPS. */
  readonly tls?: Certificate;
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly limits: Limits;
  /** Called when a handler throws. */
  readonly onFault: (error: unknown) => void;
}

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /** Number of open connections. */
  readonly connections: number;
  /**
   * Accepts no more connections, waits for running requests, and closes the connections. After `graceMs`, they are
   * aborted.
   */
  close(options: { readonly graceMs: number }): Promise<void>;
}

/** Listens for HTTP/1.1 and HTTP/2 on one port, with or without TLS. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { limits, onFault } = options;
  const exchanges = createCount();
  const listener = createListener(options.fetch, { onFault, receiveMs: limits.receiveMs });
  const wiring: Wiring = {
    onRequest: (incoming, outgoing) => {
      outgoing.once('close', exchanges.add());
      listener(incoming, outgoing);
    },
    onUpgrade: createUpgradeListener(options.upgrade, { onFault }),
    onSession: (session) => {
      limitSession(session, limits.idleConnectionMs);
    },
  };
  const server =
    options.tls === undefined
      ? createPlainServer(wiring, limits)
      : createTlsServer(wiring, limits, options.tls);
  server.maxConnections = limits.connections;
  const sockets = trackSockets(server);
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    get connections() {
      return sockets.size;
    },
    close: async ({ graceMs }) => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      await exchanges.none(graceMs);
      for (const socket of sockets) socket.destroySoon();
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, lingerMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
    });
  });
  return sockets;
}

/** Node ends idle connections of HTTP/1 by itself. */
function limitSession(session: ServerHttp2Session, idleMs: number): void {
  // A broken connection is an everyday thing; each of its requests hears of it by its own `close`.
  session.on('error', () => {});
  session.setTimeout(idleMs, () => {
    // What is being answered on it still is.
    session.close();
  });
}
