import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ConnectionTarget } from './connection-target.ts';
import { isPublicAddress } from './public-address.ts';

/** Resolves a name to all its addresses. */
export type LookUp = (name: string) => Promise<readonly LookupAddress[]>;

/** The addresses that a connection may use. */
export interface FoundAddresses {
  /** The first is tried first. */
  readonly addresses: readonly LookupAddress[];
  /** A name has an address that is not public: only this one is used, if it is allowed too. */
  readonly notPublic?: string;
}

/**
 * Finds the addresses of an allowed target. An address, and the names of this machine, are used as they are. Any
 * other name must resolve to public addresses only: otherwise it could be pointed at this machine or a private
 * network.
 */
export async function findAddresses(
  { host }: ConnectionTarget,
  lookUp: LookUp = lookUpAll,
): Promise<FoundAddresses> {
  const family = isIP(host);
  if (family !== 0) return { addresses: [{ address: host, family }] };
  if (host === 'localhost' || host.endsWith('.localhost')) return { addresses: loopback };
  const addresses = await lookUp(host);
  const notPublic = addresses.find(({ address }) => !isPublicAddress(address));
  return notPublic === undefined ? { addresses } : { addresses: [notPublic], notPublic: notPublic.address };
}

// RFC 6761: these names are never looked up.
const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function lookUpAll(name: string): Promise<readonly LookupAddress[]> {
  return lookup(name, { all: true });
}
