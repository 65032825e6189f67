import { isIP } from 'node:net';
import { parseHost } from '../rule/host-pattern.ts';

/** The host and port of a connection. */
export interface ConnectionTarget {
  /** A name in lower case and ASCII without a dot at the end, or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Parses the authority of a URL or of `CONNECT`: `name:port`, `192.0.2.1:port` or `[2001:db8::1]:port`. Undefined for
 * anything else: with a user name, percent codes, or letters that are not ASCII, which no client sends.
 *
 * @param defaultPort The port of an authority that names none. @default it must name one
 */
export function parseTarget(authority: string, defaultPort?: number): ConnectionTarget | undefined {
  if (!/^[!-~]+$/u.test(authority)) return undefined;
  const host = parseHost(authority);
  const port = host?.port ?? defaultPort;
  if (host === undefined || port === undefined || port < 1) return undefined;
  const name = host.name.replace(/^\[|\]$/gu, '');
  const isName = name.split('.').every((label) => label !== '' && label.length <= 63);
  return isIP(name) === 6 || isName ? { host: name, port } : undefined;
}

/** A target as `host:port`. */
export function targetText({ host, port }: ConnectionTarget): string {
  return `${bracketed(host)}:${String(port)}`;
}

/** A target as lists of hosts and rules name it: without a port, it is one of HTTP or HTTPS. */
export function targetPattern(target: ConnectionTarget): string {
  return target.port === 443 || target.port === 80 ? bracketed(target.host) : targetText(target);
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
