import { request, type RequestOptions } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The proxy that a program reaches other hosts through, and the hosts that it reaches without it. */
export interface WebProxy {
  readonly url: URL;
  readonly except: readonly string[];
}

/** Whether the host of a URL is reached through a proxy. */
export function isProxied({ hostname }: URL, { except }: WebProxy): boolean {
  return !except.includes(hostname.replace(/^\[|\]$/gu, ''));
}

/**
 * Connects to the server of a URL through a proxy; the connection is encrypted if the URL is one of `https:`.
 *
 * @returns Options for a request of this URL, which uses the connection.
 */
export async function connectThroughProxy(
  proxy: WebProxy,
  url: URL,
  signal: AbortSignal,
): Promise<Pick<RequestOptions, 'createConnection' | 'defaultPort'>> {
  const socket = await openTunnel(proxy, url, signal);
  // Without an agent, a request takes 80 for the usual port, and names it in the header `Host` of others.
  if (url.protocol !== 'https:') return { createConnection: () => socket, defaultPort: 80 };
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const options = { socket, host, ...servername, ALPNProtocols: ['http/1.1'] };
  return { createConnection: () => connectTls(options), defaultPort: 443 };
}

function openTunnel({ url: proxy }: WebProxy, url: URL, signal: AbortSignal): Promise<Socket> {
  const usual = url.protocol === 'https:' ? '443' : '80';
  const target = `${url.hostname}:${url.port === '' ? usual : url.port}`;
  const asked = request({
    host: proxy.hostname,
    port: proxy.port,
    method: 'CONNECT',
    path: target,
    headers: { host: target },
    signal,
  });
  return new Promise((resolve, reject) => {
    asked.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      const problem =
        statusCode === 403 ? 'the sandbox does not allow it' : 'the proxy of the sandbox cannot reach it';
      reject(new Error(`connect to ${target}: ${problem} (${String(statusCode)})`));
    });
    asked.on('error', reject);
    asked.end();
  });
}
