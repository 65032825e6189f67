import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Resolves names to allowed addresses only, at the moment of connecting, so that the checked address is the one used.
 * A name with even one forbidden address is rejected, because the system chooses the address.
 */
export function checkedLookup(isAllowed: (address: string) => boolean, refusal: () => Error): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      // With an error there is no list.
      const [first] = error === null ? addresses : [];
      if (first === undefined) {
        callback(error ?? new Error(`${hostname} has no address`), []);
      } else if (!addresses.every(({ address }) => isAllowed(address))) {
        callback(refusal(), []);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}
