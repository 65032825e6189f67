import { createServer, type IncomingMessage, type Server as Http1Server } from 'node:http';
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2Server,
  type ServerHttp2Session,
} from 'node:http2';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Limits } from '../limits.ts';
import type { NodeResponse } from './send-response.ts';
import type { NodeRequest } from './to-request.ts';

/** Interval of Node's checks for slow connections. */
const checkMs = 2000;

/** What happens on a server of either protocol. */
export interface Wiring {
  readonly onRequest: (incoming: NodeRequest, outgoing: NodeResponse) => void;
  readonly onUpgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly onSession: (session: ServerHttp2Session) => void;
}

/** The certificate and key of an HTTPS server, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A server for HTTP/1.1, and for HTTP/2 with prior knowledge, as proxies speak it behind their own TLS. */
export function createPlainServer(wiring: Wiring, limits: Limits): Server {
  const http1 = createServer(http1Options(limits));
  const http2 = createHttp2Server(http2Options(limits));
  http1.on('request', wiring.onRequest).on('upgrade', (incoming, socket, head) => {
    if (wantsWebSocket(incoming)) wiring.onUpgrade(incoming, socket, head);
    else serveWithoutUpgrade(http1, { incoming, socket, head });
  });
  http2.on('request', wiring.onRequest).on('session', wiring.onSession);
  chooseProtocol(http1, http2, limits.headersMs);
  return http1;
}

/** A server for HTTP/2 and HTTP/1.1 over TLS. The client says which. */
export function createTlsServer(wiring: Wiring, limits: Limits, certificate: Certificate): Server {
  const server = createSecureServer({
    ...http1Options(limits),
    ...http2Options(limits),
    ...certificate,
    allowHTTP1: true,
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.headersMs,
  });
  // It reads them as a server of HTTP/1 does, but not from its options.
  Object.assign(server, http1Options(limits));
  return server
    .on('request', wiring.onRequest)
    .on('session', wiring.onSession)
    .on('upgrade', wiring.onUpgrade);
}

function http1Options(limits: Limits): Parameters<typeof createServer>[0] {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.receiveMs,
    keepAliveTimeout: limits.idleConnectionMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: limits.headerBytes,
  };
}

function http2Options(limits: Limits): Parameters<typeof createHttp2Server>[0] {
  return {
    settings: { maxConcurrentStreams: limits.streamsPerConnection, maxHeaderListSize: limits.headerBytes },
  };
}

/** Looks at the first bytes of each connection. */
function chooseProtocol(http1: Http1Server, http2: Http2Server, waitMs: number): void {
  // The HTTP/1 server is the one that listens, because only a server that does looks after slow connections.
  const serve = http1.listeners('connection');
  http1.removeAllListeners('connection');
  http1.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), waitMs);
    const ignore = (): void => {};
    socket.on('error', ignore);
    socket.once('close', () => {
      clearTimeout(timer);
    });
    socket.once('readable', () => {
      clearTimeout(timer);
      const first: unknown = socket.read();
      socket.off('error', ignore);
      if (!Buffer.isBuffer(first)) {
        socket.destroy();
        return;
      }
      socket.unshift(first);
      // RFC 9113, 3.4: the preface is made so that no server of HTTP/1 takes it for a request.
      if (first.subarray(0, preface.length).equals(preface.subarray(0, first.length))) {
        http2.emit('connection', socket);
      } else {
        for (const listener of serve) listener.call(http1, socket);
      }
    });
  });
}

const preface = Buffer.from('PRI * HTTP/2.0');

function wantsWebSocket(incoming: IncomingMessage): boolean {
  return incoming.headers.upgrade?.toLowerCase() === 'websocket';
}

interface UnwantedUpgrade {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Serves requests that offer an upgrade to `h2c` as HTTP/1, which such clients accept. Node.js cannot ignore an
 * upgrade, so the request is parsed again without it.
 */
function serveWithoutUpgrade(http1: Http1Server, { incoming, socket, head }: UnwantedUpgrade): void {
  const lines = [`${incoming.method ?? 'GET'} ${incoming.url ?? '/'} HTTP/1.1`];
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const name = incoming.rawHeaders[index] ?? '';
    if (!/^(?:upgrade|http2-settings|connection)$/iu.test(name)) {
      lines.push(`${name}: ${incoming.rawHeaders[index + 1] ?? ''}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  http1.emit('connection', socket);
}
