import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Peer } from './handler.ts';

/** A request as Node has it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/**
 * A request of Node's as the web's `Request`.
 *
 * @returns Undefined where it is none: no host, a target that is no path, a method that no `Request` may have.
 */
export function toRequest(incoming: NodeRequest, signal: AbortSignal): Request | undefined {
  const url = targetOf(incoming);
  if (url === undefined) return undefined;
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    return new Request(url, {
      method,
      headers: headersOf(incoming),
      signal,
      ...(hasBody && { body: bodyOf(incoming), duplex: 'half' as const }),
    });
  } catch {
    // CONNECT and TRACE, and bytes that are in no method or header.
    return undefined;
  }
}

/** The peer of an exchange, which emits `close` at its end, and which `end` aborts. */
export function peerOf(incoming: NodeRequest, exchange: EventEmitter, end: () => void): Peer {
  return {
    address: incoming.socket.remoteAddress ?? '',
    isEncrypted: isEncrypted(incoming),
    onClose: (run) => {
      exchange.once('close', run);
    },
    end,
  };
}

function isEncrypted({ socket }: NodeRequest): boolean {
  return 'encrypted' in socket;
}

function targetOf(incoming: NodeRequest): URL | undefined {
  const host = incoming.headers[':authority'] ?? incoming.headers.host;
  const target = incoming.url;
  if (typeof host !== 'string' || !/^[\w.:[\]-]+$/u.test(host) || target?.startsWith('/') !== true) {
    return undefined;
  }
  const scheme = isEncrypted(incoming) ? 'https' : 'http';
  try {
    return new URL(`${scheme}://${host}${target}`);
  } catch {
    return undefined;
  }
}

function headersOf(incoming: NodeRequest): Headers {
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    // HTTP/2 has `:method`, `:path` and the like among them.
    if (!name.startsWith(':')) headers.append(name, raw[index + 1] ?? '');
  }
  // HTTP/2 calls it `:authority`; handlers find it under one name.
  const authority = incoming.headers[':authority'];
  if (typeof authority === 'string' && !headers.has('host')) headers.set('host', authority);
  return headers;
}

/** The body, read only as fast as it is asked for. */
function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<unknown, undefined> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        chunks ??= incoming[Symbol.asyncIterator]();
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else if (next.value instanceof Uint8Array) controller.enqueue(next.value);
      },
      cancel: () => {
        // What is left of it is read and thrown away, so that the connection can be used again.
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
