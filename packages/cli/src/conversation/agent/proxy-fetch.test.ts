import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { testCertificate } from '@parley/conformance';
import { afterEach, expect, test, vi } from 'vitest';
import { proxyFetch } from './proxy-fetch.ts';

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`;
}

/** A proxy that allows tunnels to one host, and the hosts that were asked for. @param leadsTo Where that host is. */
async function openProxy(
  allowed: string,
  leadsTo = allowed,
): Promise<{ readonly url: URL; readonly asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, client) => {
    asked.push(url);
    if (url !== allowed) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = leadsTo.split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(target).pipe(client);
    });
  });
  return { url: new URL(`http://${await listen(proxy)}`), asked };
}

const echo = (): Server =>
  createServer((request, response) => {
    response.writeHead(201, { 'x-method': request.method });
    request.pipe(response);
  });

test('a request with a body goes through a tunnel, and its response streams back', async () => {
  const host = await listen(echo());
  const { url, asked } = await openProxy(host);
  const response = await proxyFetch({ url, except: [] }, fetch)(`http://${host}/a`, {
    method: 'POST',
    body: 'words',
  });
  expect(response.status).toBe(201);
  expect(response.headers.get('x-method')).toBe('POST');
  expect(await response.text()).toBe('words');
  expect(asked).toEqual([host]);
});

test.each(['http', 'https'])(
  'the usual port of %s is not in the header that names the host',
  async (scheme) => {
    // The certificate is not one that this process trusts.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const answer: RequestListener = ({ headers }, response) => response.end(headers.host);
    const server = scheme === 'https' ? createSecureServer(testCertificate, answer) : createServer(answer);
    const usual = scheme === 'https' ? '443' : '80';
    const { url } = await openProxy(`pages.example:${usual}`, await listen(server));
    const response = await proxyFetch({ url, except: [] }, fetch)(`${scheme}://pages.example/`);
    expect(await response.text()).toBe('pages.example');
  },
);

test('a host that the proxy rejects causes an error that names it', async () => {
  const { url } = await openProxy('elsewhere:80');
  await expect(proxyFetch({ url, except: [] }, fetch)('https://example.com/')).rejects.toThrow(
    'connect to example.com:443: the sandbox does not allow it (403)',
  );
});

test('a host without proxy is reached directly', async () => {
  const host = await listen(echo());
  const { url, asked } = await openProxy(host);
  const response = await proxyFetch({ url, except: ['127.0.0.1'] }, fetch)(`http://${host}/`);
  expect(response.headers.get('x-method')).toBe('GET');
  expect(asked).toEqual([]);
});
