import { networkInterfaces } from 'node:os';
import { isLoopback } from '../access/loopback.ts';

/** The server's address, and the names of its machine. */
export interface ReachableOptions {
  /** The address it listens on. */
  readonly host: string;
  /** The machine's own addresses in its networks. @default those of the system */
  readonly addresses?: readonly string[];
}

/**
 * The origin by which other devices reach the server. A browser on the same machine may use a name such as
 * `localhost`, which means another machine elsewhere; the machine's network addresses do not.
 */
export function reachableOrigin(
  origin: string,
  { host, addresses = addressesOfNetworks() }: ReachableOptions,
): string {
  const url = new URL(origin);
  if (!isLoopback(url.hostname.replace(/^\[(.*)\]$/u, '$1')) || isLoopback(host)) return origin;
  const [reachable] = host === '0.0.0.0' || host === '::' ? addresses : [host];
  if (reachable === undefined) return origin;
  url.hostname = reachable.includes(':') ? `[${reachable}]` : reachable;
  return url.origin;
}

function addressesOfNetworks(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  );
}
