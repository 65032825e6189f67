import { parseHost } from '../rule/host-pattern.ts';
import { perlRelayScript } from './perl-relay-script.ts';

/**
 * The program that copies each connection to a port of the sandbox to the socket of the proxy. It is passed to Node as text, so that
 * the sandbox needs no file of it.
 *
 * A request for a server on a loopback address that is not listed goes to a server in the sandbox, if one listens there,
 * otherwise to the proxy. A connection has one request, because the next one can be for another host: the answer says so to the client.
 */
const copyScript = `'use strict';
const net = require('node:net');
const [socketPath, ownServers, ...further] = process.argv.slice(1);

const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  let head = Buffer.alloc(0);
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    // HTTP begins with a capital letter; the proxy answers everything else, and heads that are too long.
    const isHttp = head[0] >= 65 && head[0] <= 90;
    if (isHttp && head.length < 65536 && !head.includes('\\r\\n\\r\\n')) return;
    forward();
  };
  const forward = () => {
    client.off('data', read).off('end', forward).pause();
    const own = ownRequest(head);
    const copyBack = isPlain(head) ? copyLast : copy;
    const toProxy = () => join(client, net.connect({ path: socketPath, allowHalfOpen: true }), head, copyBack);
    if (own === undefined) toProxy();
    else connectFirst(own.addresses, own.port, (remote) => {
      if (remote === undefined) return toProxy();
      client.write(own.answer);
      join(client, remote, own.first, copyBack);
    });
  };
  client.on('error', () => undefined).on('data', read).on('end', forward);
});
server.maxConnections = 512;

// A request for a server that can be in the sandbox: where it is, what the client is answered, what the server gets.
function ownRequest(head) {
  const end = head.indexOf('\\r\\n\\r\\n');
  if (end === -1) return undefined;
  const [line, ...fields] = head.toString('latin1', 0, end).split('\\r\\n');
  const [, method, scheme, authority, path] = /^([A-Z]+) (http:\\/\\/)?([^\\/?#@ ]+)(\\S*) HTTP\\/1\\.[01]$/i.exec(line) || [];
  if (authority === undefined || (method === 'CONNECT') !== (scheme === undefined)) return undefined;
  const [, name, port = '80'] = /^(.*?)(?::(\\d+))?$/.exec(authority);
  if (!new RegExp(ownServers, 'i').test(name + ':' + port) || Number(port) > 65535) return undefined;
  const addresses = /localhost$/i.test(name) ? ['127.0.0.1', '::1'] : [name.replace(/[[\\]]/g, '')];
  const rest = head.subarray(end + 4);
  if (method === 'CONNECT') {
    return { addresses, port, answer: 'HTTP/1.1 200 Connection established\\r\\n\\r\\n', first: rest };
  }
  const isUpgrade = fields.some((field) => /^upgrade:/i.test(field));
  const ofConnection = isUpgrade ? /^proxy-/i : /^(?:proxy-|connection:|keep-alive:)/i;
  const lines = [
    method + ' ' + (path.startsWith('/') ? '' : '/') + path + ' HTTP/1.1',
    ...fields.filter((field) => !ofConnection.test(field)),
    ...(isUpgrade ? [] : ['Connection: close']),
  ];
  const first = Buffer.concat([Buffer.from(lines.join('\\r\\n') + '\\r\\n\\r\\n', 'latin1'), rest]);
  return { addresses, port, answer: '', first };
}

function connectFirst([address, ...others], port, done) {
  if (address === undefined) return done(undefined);
  const remote = net.connect({ host: address, port: Number(port), allowHalfOpen: true, noDelay: true });
  const next = () => connectFirst(others, port, done);
  remote.once('error', next).once('connect', () => {
    remote.off('error', next);
    done(remote);
  });
}

// Whether it is plain HTTP: the next request on the same connection can be for another host.
function isPlain(head) {
  const text = head.toString('latin1');
  return /^[A-Z]+ http:/i.test(text) && !/^upgrade:/im.test(text.split('\\r\\n\\r\\n', 1)[0]);
}

function join(client, remote, first, copyBack) {
  if (client.destroyed) return remote.destroy();
  remote.write(first);
  copy(client, remote);
  copyBack(remote, client);
}

// Answers one request, after which the client uses another connection, also if the server leaves this one open.
function copyLast(from, to) {
  let head = Buffer.alloc(0);
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    for (let end; (end = head.indexOf('\\r\\n\\r\\n')) !== -1; head = head.subarray(end + 4)) {
      const [status, ...fields] = head.toString('latin1', 0, end).split('\\r\\n');
      // Others follow: 100 Continue, 103 Early Hints.
      if (/^HTTP\\/1\\.[01] 1/.test(status)) {
        to.write(head.subarray(0, end + 4));
        continue;
      }
      const others = fields.filter((field) => !/^(?:proxy-connection|connection|keep-alive):/i.test(field));
      const lines = [status, ...others, 'Connection: close', '', ''];
      head = Buffer.concat([Buffer.from(lines.join('\\r\\n'), 'latin1'), head.subarray(end + 4)]);
      return forward();
    }
    if (head.length >= 65536) forward();
  };
  const forward = () => {
    from.off('data', read).off('end', forward).pause();
    to.write(head);
    copy(from, to);
  };
  from.on('error', () => to.destroy()).on('data', read).on('end', forward);
}

function copy(from, to) {
  from.on('error', () => undefined);
  from.once('close', () => {
    if (!from.readableEnded || !from.writableFinished) to.destroy();
  });
  from.pipe(to);
}
`;

/** Copies the connections of a port on which another program listens already: its descriptor is an argument. */
const joinScript = `${copyScript}
server.listen({ fd: Number(further[0]) });
`;

/**
 * Listens and copies, and starts the agent with variables that name the port, where there is no Perl.
 *
 * Input and output are the agent's own, not copied. Signals reach the agent by its process group, of which the relay is
 * a member; the relay outlives them, to end as the agent ends.
 */
const startScript = `${copyScript}
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const [urlNames, noProxyNames, noProxy, command, ...args] = further;

let child;
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2']) {
  process.on(signal, () => {
    if (child === undefined) process.exit(128 + constants.signals[signal]);
  });
}

function fail(what, error) {
  process.stderr.write('parley: could not ' + what + ': ' + (error.code || error.message) + '\\n');
  process.exit(error.code === 'ENOENT' ? 127 : 126);
}

server.once('error', (error) => fail('listen for the proxy of the sandbox', error));
server.listen(0, '127.0.0.1', () => {
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' };
  const set = (names, value) => {
    for (const name of names.split(',')) {
      delete env[name];
      if (value !== '') env[name] = value;
    }
  };
  set(urlNames, 'http://127.0.0.1:' + server.address().port);
  set(noProxyNames, noProxy);
  child = spawn(command, args, { stdio: 'inherit', env });
  child.once('error', (error) => fail('start ' + JSON.stringify(command), error));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    // The first process of a PID namespace survives its own signals.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
    process.kill(process.pid, signal);
  });
});
`;

/** What a relay connects to. */
export interface RelayOptions {
  /** The socket of the proxy, as the sandbox sees it. */
  readonly socketPath: string;
  /** The hosts that the proxy allows. */
  readonly hosts: readonly string[];
  /** Perl starts an agent at once, and Node with its first connection. Linux only. @default Node starts both */
  readonly perl?: string;
}

/**
 * Returns the command line of a relay, which a sandbox without a network starts in front of an agent: it listens on the loopback address of
 * the sandbox, copies connections to the socket of the proxy, and starts the agent with variables that name it. The command line of the agent follows as
 * further arguments.
 */
export function relayCommand({ socketPath, hosts, perl }: RelayOptions): readonly string[] {
  const variables = [urlNames.join(','), noProxyNames.join(','), noProxyFor(hosts)];
  const copied = ['--', socketPath, ownServers(hosts)];
  if (perl === undefined) return [process.execPath, '-e', startScript, ...copied, ...variables];
  const copy = [process.execPath, '-e', joinScript, ...copied];
  return [perl, '-e', perlRelayScript, ...variables, String(copy.length), ...copy];
}

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'WS_PROXY', 'WSS_PROXY', 'GRPC_PROXY'];

/** Variables that name the relay. */
const urlNames: readonly string[] = [
  ...proxyNames,
  ...proxyNames.map((name) => name.toLowerCase()),
  'npm_config_proxy',
  'npm_config_https_proxy',
  'YARN_HTTP_PROXY',
  'YARN_HTTPS_PROXY',
];

/** Variables that name what is reached without it. */
const noProxyNames: readonly string[] = ['NO_PROXY', 'no_proxy', 'npm_config_noproxy'];

/** The loopback addresses, with ports, that are not listed, as an expression: they can be servers in the sandbox. */
function ownServers(hosts: readonly string[]): string {
  const listed = hosts.filter(isLoopback).map((pattern) => {
    const isBelow = pattern.startsWith('*.');
    const { name = '', port } = parseHost(isBelow ? pattern.slice(2) : pattern) ?? {};
    const escaped = name.replaceAll(/[.[\]]/gu, String.raw`\$&`);
    return `${isBelow ? String.raw`[^:]+\.` : ''}${escaped}:${port === undefined ? '(?:80|443)' : String(port)}`;
  });
  const exceptListed = listed.length === 0 ? '' : `(?!(?:${listed.join('|')})$)`;
  return String.raw`^${exceptListed}(?:(?:[^:]+\.)?localhost|127(?:\.(?:0|[1-9]\d{0,2})){3}|\[::1\]):[1-9]\d*$`;
}

/**
 * The hosts that programs reach without the proxy: their own servers in the sandbox. If a host of this machine is
 * allowed, there are none, because only the proxy can distinguish both.
 */
function noProxyFor(hosts: readonly string[]): string {
  return hosts.some(isLoopback) ? '' : loopbackNames.join(',');
}

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '::1'];

function isLoopback(pattern: string): boolean {
  const name = parseHost(pattern.replace(/^\*\./u, ''))?.name ?? '';
  return /^(?:(?:.*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(name);
}
