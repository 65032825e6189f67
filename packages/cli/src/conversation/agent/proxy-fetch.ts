import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { connectThroughProxy, isProxied, type WebProxy } from '@parley/workspace';

/** Statuses whose responses have no body. */
const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * A `fetch` that reaches all hosts through a proxy, by tunnels: in a sandbox, the proxy is the only way out, and the `fetch` of
 * Node 20 knows no proxy. Does not follow redirects.
 *
 * @param direct Reaches hosts without the proxy.
 */
export function proxyFetch(proxy: WebProxy, direct: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const { signal } = request;
    if (!isProxied(url, proxy)) return direct(request);
    const body = Buffer.from(await request.arrayBuffer());
    const connection = await connectThroughProxy(proxy, url, signal);
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...connection,
      signal,
    });
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject);
    });
    sent.end(body);
    return toResponse(await response);
  };
}

function toResponse(response: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', headersDistinct } = response;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const init = { status, statusText, headers };
  if (withoutBody.has(status)) {
    response.resume();
    return new Response(null, init);
  }
  return new Response(Readable.toWeb(response), init);
}
