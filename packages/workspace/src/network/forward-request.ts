import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { badRequest, unreachable } from './blocked-connection.ts';
import { parseTarget, type ConnectionTarget } from './connection-target.ts';

/** A parsed request to a proxy for plain HTTP. The same object is judged and sent. */
export interface ForwardedRequest {
  readonly target: ConnectionTarget;
  /** The authority of the URL, which becomes the `Host` header. */
  readonly authority: string;
  readonly path: string;
}

/** Parses the URL of a request to a proxy. @throws {BlockedConnection} It is none. */
export function parseForwarded(url: string): ForwardedRequest {
  const [, authority, rest = ''] = /^http:\/\/([^/?#]*)([!-~]*)$/iu.exec(url) ?? [];
  if (authority === undefined) {
    throw badRequest('it must name a whole URL that begins with http://, or use CONNECT for anything else');
  }
  const target = parseTarget(authority, 80);
  if (target === undefined) {
    throw badRequest(`${JSON.stringify(authority)} is not a host with an optional port`);
  }
  const [path = ''] = rest.split('#');
  return { target, authority, path: path.startsWith('/') ? path : `/${path}` };
}

/**
 * Forwards a request on a new connection, and returns the response. Both are serialized from the parsed form, so that
 * the target sees exactly one request.
 */
export function forwardRequest(
  { target, authority, path }: ForwardedRequest,
  request: IncomingMessage,
  response: ServerResponse,
  socket: Socket,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = requestHttp({
      method: request.method ?? 'GET',
      path,
      createConnection: () => socket,
      setHost: false,
    });
    const end = (error?: unknown): void => {
      socket.destroy();
      if (error === undefined) {
        resolve();
      } else if (response.headersSent) {
        response.destroy();
        resolve();
      } else {
        reject(unreachable(target, error));
      }
    };
    response.once('close', () => {
      end();
    });
    sent.on('error', end);
    // An answer that is none ends the connection, and may say no more.
    sent.once('close', () => {
      if (!response.headersSent) end(new Error('no answer'));
    });
    sent.once('response', (answer) => {
      try {
        response.writeHead(answer.statusCode ?? 502, [...endToEnd(answer.rawHeaders)].flat());
      } catch (error) {
        end(error);
        return;
      }
      pipeline(answer, response, (error) => {
        end(error ?? undefined);
      });
    });
    try {
      sent.setHeader('Host', authority);
      sent.setHeader('Connection', 'close');
      for (const [name, value] of endToEnd(request.rawHeaders)) {
        if (!ownHeaders.has(name.toLowerCase())) sent.appendHeader(name, value);
      }
      // A body is framed as it came; without this, one of a GET would follow the head unframed.
      if (request.headers['transfer-encoding'] !== undefined) sent.setHeader('Transfer-Encoding', 'chunked');
      request.pipe(sent);
    } catch (error) {
      end(error);
    }
  });
}

/** The headers that are for the other end, and not for the next hop. */
function* endToEnd(rawHeaders: readonly string[]): Generator<[name: string, value: string]> {
  const named = new Set(hopByHop);
  for (const [name, value] of pairs(rawHeaders)) {
    if (name.toLowerCase() !== 'connection') continue;
    for (const token of value.split(',')) named.add(token.trim().toLowerCase());
  }
  // How long a body is, is no matter of hops.
  named.delete('content-length');
  for (const [name, value] of pairs(rawHeaders)) if (!named.has(name.toLowerCase())) yield [name, value];
}

function* pairs(rawHeaders: readonly string[]): Generator<[name: string, value: string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    yield [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
  }
}

/** Headers between two neighbours (RFC 9110, 7.6.1). */
const hopByHop: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers of a request that the proxy writes itself, or answers. */
const ownHeaders: ReadonlySet<string> = new Set(['host', 'expect']);
