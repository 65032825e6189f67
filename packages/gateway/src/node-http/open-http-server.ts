import type { ServerHttp2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { createCount } from '@parley/host';
import type { Limits } from '../limits.ts';
import type { FetchHandler, UpgradeHandler } from './handler.ts';
import { createListener } from './listener.ts';
import { createPlainServer, createTlsServer, type Certificate, type Wiring } from './node-servers.ts';
import { createUpgradeListener } from './upgrade-listener.ts';

/** How long a connection may take to send what is left when the server closes. */
const lingerMs = 500;

/** What a server is made of. */
export interface HttpServerOptions {
  readonly fetch: FetchHandler;
  /** Answers requests that want to change the protocol to `websocket`. */
  readonly upgrade: UpgradeHandler;
  /** Makes it HTTPS. */
  readonly tls?: Certificate;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly limits: Limits;
  /** A handler threw: a fault of ours. */
  readonly onFault: (error: unknown) => void;
}

/** A server that listens. */
export interface HttpServer {
  readonly port: number;
  /** Connections that are open. */
  readonly connections: number;
  /**
   * Takes no more connections, waits until what is being answered has been, and ends the connections. What takes
   * longer than `graceMs` is broken off.
   */
  close(options: { readonly graceMs: number }): Promise<void>;
}

/** Listens for HTTP/1.1 and HTTP/2 on one port, with TLS or without. */
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
