import type { RemoteAddress } from '@parley/host';
import { CliError } from '../../cli-error.ts';
import type { Variables } from '../../configuration/places.ts';
import { parseRemote } from './remote.ts';

/** Where the key for an address comes from. */
export interface ServerKeyOptions {
  readonly env: Variables;
  /** Typed together with the address, and therefore for it. */
  readonly typed?: string;
  readonly warn: (message: string) => void;
}

/**
 * The key for an address that was typed. `PARLEY_TOKEN` is for the server that `PARLEY_URL` names, without it for this
 * machine: what was set for one server must not go to any other server that is typed.
 *
 * @throws {CliError} `usage`: the key would be sent unencrypted, which is not configured
 */
export function serverKey(
  address: RemoteAddress,
  { env, typed = '', warn }: ServerKeyOptions,
): string | undefined {
  const { PARLEY_TOKEN: kept = '', PARLEY_URL: named = '' } = env;
  const key = typed === '' ? kept : typed;
  if (key === '') return undefined;
  const origin = originOf(address);
  const server = named === '' ? undefined : originOf(parseRemote('PARLEY_URL', named));
  if (typed === '' && (server === undefined ? !address.isLoopback : server !== origin)) {
    warn(
      `PARLEY_TOKEN is not sent to ${origin}: it is for ${server ?? 'this machine'}; PARLEY_URL=${origin} makes it a key for that server`,
    );
    return undefined;
  }
  if (address.isPrivate) return key;
  if (server !== origin) {
    throw new CliError(
      'usage',
      `the key is not sent to ${origin} without encryption: use https:// or wss://, or, if others may read it, set PARLEY_URL=${origin}`,
    );
  }
  warn(`the key is sent to ${origin} without encryption`);
  return key;
}

/** The server: one and the same for both ways of speaking to it. */
function originOf({ url }: RemoteAddress): string {
  return new URL(url.replace(/^ws/u, 'http')).origin;
}
