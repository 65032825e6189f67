import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest, BlockedConnection } from './blocked-connection.ts';
import { connectTarget, idleConnectionMs, type AllowConnection, type Connector } from './connect-target.ts';
import { parseTarget } from './connection-target.ts';
import type { LookUp } from './find-addresses.ts';
import { forwardRequest, parseForwarded } from './forward-request.ts';
import { NetworkUseCounter, type NetworkReport } from './network-use.ts';
import { listenInSocketFolder, type SocketFolder } from './socket-folder.ts';

/** Connections to one proxy at the same time; more are closed. */
const mostConnections = 512;

/** Bytes of the head of a request: 64 KiB. */
const mostHeaderBytes = 64 * 1024;

/** Time for the head of a request to arrive. */
const headersTimeoutMs = 60_000;

/** How long a connection without a request stays open. */
const keepAliveMs = 60_000;

/** What a proxy decides with. */
export interface NetworkProxyOptions {
  readonly allow: AllowConnection;
  /** @default the resolver of this system */
  readonly lookUp?: LookUp;
  /** Where the folder of the socket is created. @default the folder for temporary files */
  readonly parentFolder?: string;
}

/** A proxy for HTTP on a Unix socket, the only way out of a sandbox without a network. */
export interface NetworkProxy extends AsyncDisposable, Pick<SocketFolder, 'folder' | 'socketPath'> {
  /** Returns the hosts used since the last call; undefined if there were none. */
  takeReport(): NetworkReport | undefined;
  /** Closes all connections and removes the folder. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens a proxy for `CONNECT` and plain HTTP. Each request is judged, also on a connection that stays open. Names are
 * resolved here; an address that is not public needs to be allowed itself.
 */
export async function openNetworkProxy({
  allow,
  lookUp,
  parentFolder,
}: NetworkProxyOptions): Promise<NetworkProxy> {
  const uses = new NetworkUseCounter();
  const sockets = new Set<Duplex>();
  const server = createProxyServer({ allow, uses, ...(lookUp !== undefined && { lookUp }) }, sockets);
  const { folder, socketPath, remove } = await listenInSocketFolder(server, parentFolder);
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    for (const socket of sockets) socket.destroy();
    await closed;
    await remove();
  };
  return {
    folder,
    socketPath,
    takeReport: () => uses.take(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createProxyServer(connector: Connector, sockets: Set<Duplex>): Server {
  const server = createServer(
    {
      maxHeaderSize: mostHeaderBytes,
      headersTimeout: headersTimeoutMs,
      // An upload may take as long as it needs; without a byte it is idle.
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      requireHostHeader: false,
    },
    (request, response) => {
      void answerRequest(request, response, connector);
    },
  );
  server.maxConnections = mostConnections;
  server.timeout = idleConnectionMs;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => {
      // The client has disconnected: its other end is closed, too.
      socket.destroy();
    });
    socket.once('close', () => {
      sockets.delete(socket);
    });
  });
  server.on('connect', (request, socket, head) => {
    void answerConnect(request, socket, head, connector);
  });
  return server;
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  connector: Connector,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  try {
    const forwarded = parseForwarded(request.url ?? '');
    const upstream = await connectTarget(forwarded.target, connector, gone.signal);
    await forwardRequest(forwarded, request, response, upstream);
  } catch (error) {
    const { status, message } = toBlocked(error);
    if (response.headersSent || response.destroyed) return;
    // The rest of a body that was not wanted ends with the connection.
    response.writeHead(status, { ...answerHeaders, Connection: 'close' });
    response.end(`${message}\n`);
  }
}

async function answerConnect(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  connector: Connector,
): Promise<void> {
  const gone = whenGone(client);
  try {
    const target = parseTarget(request.url ?? '');
    if (target === undefined) throw badRequest('CONNECT needs a host and a port, such as example.com:443');
    const upstream = await connectTarget(target, connector, gone.signal);
    gone.ignore();
    if (client.destroyed) {
      upstream.destroy();
      return;
    }
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    pipeTo(client, upstream);
    pipeTo(upstream, client);
  } catch (error) {
    const { status, message } = toBlocked(error);
    if (client.destroyed) return;
    const body = `${message}\n`;
    const headers = { ...answerHeaders, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    client.end(
      `HTTP/1.1 ${String(status)} ${reasonPhrases.get(status) ?? 'Error'}\r\n${lines.join('')}\r\n${body}`,
    );
  }
}

/** Aborts when a client that waits for its tunnel ends its side. What it sends early stays unread. */
function whenGone(client: Duplex): { readonly signal: AbortSignal; ignore(): void } {
  const gone = new AbortController();
  const abort = (): void => {
    gone.abort();
  };
  const look = (): void => {
    // Only reading finds the end.
    if (client.readableLength === 0) client.read();
  };
  client.on('readable', look).once('end', abort).once('close', abort);
  return {
    signal: gone.signal,
    ignore() {
      client.off('readable', look).off('end', abort).off('close', abort);
    },
  };
}

/** Copies data in one direction. The end of one side only ends the input of the other; an error closes both. */
function pipeTo(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.once('close', () => {
    if (!from.readableEnded || !from.writableFinished) to.destroy();
  });
}

function toBlocked(error: unknown): BlockedConnection {
  if (error instanceof BlockedConnection) return error;
  return new BlockedConnection(500, "The proxy of Parley's sandbox failed.", { cause: error });
}

const answerHeaders = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Proxy-By': 'parley' } as const;

const reasonPhrases: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [403, 'Forbidden'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [504, 'Gateway Timeout'],
]);
