import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What a proxy does with what is sent through it. */
export type ProxyMode =
  | 'pass'
  /** Nothing gets through, in both directions, until the mode is another: as when the network is cut. */
  | 'silent'
  /** Everything arrives late. */
  | 'slow'
  /** Connections are reset, and so are new ones. */
  | 'refuse'
  /** Notifications do not get through, as with PgBouncer in transaction mode. */
  | 'deaf'
  /** Connections with a startup parameter that PgBouncer does not know are refused, as it does by default. */
  | 'strict';

/** A TCP proxy in front of a database. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  mode: ProxyMode;
  /** Ends one direction of each connection that is open: that to the client, or that to the server. */
  halfClose(towards: 'client' | 'server'): void;
}

/** How late data arrives in the mode `slow`. */
const slowMs = 150;

/** Starts a proxy in front of the database of a URL. */
export async function startProxy(url: string, mode: ProxyMode = 'pass'): Promise<TestProxy> {
  const target = new URL(url);
  const pairs = new Set<{ readonly client: Socket; readonly upstream: Socket }>();
  let current = mode;
  const isSilent = (): boolean => current === 'silent';
  const waiting = new Set<() => void>();
  const canPass = async (): Promise<void> => {
    while (isSilent()) await new Promise<void>((resolve) => waiting.add(resolve));
    if (current === 'slow') await delay(slowMs);
  };
  const forward = (from: Socket, to: Socket, change: (data: Buffer) => Buffer): void => {
    let sent: Promise<unknown> = Promise.resolve();
    const then = (act: () => void): void => {
      sent = sent.then(canPass).then(act);
    };
    from.on('error', () => undefined);
    from.on('data', (data: Buffer) => {
      then(() => to.writable && to.write(change(data)));
    });
    from.on('end', () => {
      then(() => to.end());
    });
    from.on('close', () => {
      then(() => to.destroy());
    });
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (current === 'refuse') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({
      host: target.hostname,
      port: Number(target.port),
      allowHalfOpen: true,
    });
    const pair = { client, upstream };
    pairs.add(pair);
    client.once('close', () => pairs.delete(pair));
    const filter = withoutNotifications();
    const check = startupCheck();
    forward(client, upstream, (data) => {
      const refused = current === 'strict' ? check(data) : undefined;
      if (refused === undefined) return data;
      client.end(refusal(`unsupported startup parameter: ${refused}`));
      return Buffer.alloc(0);
    });
    forward(upstream, client, (data) => (current === 'deaf' ? filter(data) : data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const shown = new URL(url);
  shown.port = String(typeof address === 'object' ? address?.port : '');
  const set = (next: ProxyMode): void => {
    current = next;
    if (next === 'refuse') for (const { client } of pairs) client.resetAndDestroy();
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return {
    url: shown.href,
    get mode() {
      return current;
    },
    set mode(next: ProxyMode) {
      set(next);
    },
    halfClose: (towards) => {
      for (const { client, upstream } of pairs) (towards === 'client' ? client : upstream).end();
    },
    [Symbol.asyncDispose]: async () => {
      set('refuse');
      for (const { upstream } of pairs) upstream.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Leaves out messages of type `A` (NotificationResponse). The first byte may be the answer about TLS. */
function withoutNotifications(): (data: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    const passed: Buffer[] = [];
    if (isFirst && rest[0] === 'N'.charCodeAt(0)) {
      passed.push(rest.subarray(0, 1));
      rest = rest.subarray(1);
    }
    isFirst = false;
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      if (rest[0] !== 'A'.charCodeAt(0)) passed.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return Buffer.concat(passed);
  };
}

/** Parameters that PgBouncer accepts by default: https://www.pgbouncer.org/config.html, `track_extra_parameters`. */
const trackedParameters: ReadonlySet<string> = new Set([
  'user',
  'database',
  'client_encoding',
  'DateStyle',
  'TimeZone',
  'standard_conforming_strings',
  'application_name',
  'IntervalStyle',
]);

/** The version in a startup message; a question for TLS has another number. */
const protocolVersion = 196_608;

/** Returns the first parameter of a startup message that PgBouncer refuses. The message arrives in one piece. */
function startupCheck(): (data: Buffer) => string | undefined {
  let isStarted = false;
  return (data) => {
    if (isStarted || data.length < 8 || data.readUInt32BE(4) !== protocolVersion) return undefined;
    isStarted = true;
    const words = data.toString('utf8', 8, data.readUInt32BE(0)).split('\0');
    return words.find((word, index) => index % 2 === 0 && word !== '' && !trackedParameters.has(word));
  };
}

/** An error message of the protocol that ends a connection. */
function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
