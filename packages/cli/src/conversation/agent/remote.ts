import { parseRemoteAddress, type RemoteAddress } from '@parley/host';
import { CliError } from '../../cli-error.ts';

/** Whether a word is a URL, and no name. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/** Reads the address of a remote agent. What may be a secret in it is not repeated. */
export function parseRemote(label: string, text: string): RemoteAddress {
  const address = parseRemoteAddress(text);
  if (address !== undefined) return address;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new CliError(
      'usage',
      `${label}: put a secret into "headers" of the configuration, not into the URL`,
    );
  }
  throw new CliError('usage', `${label}: expected a URL with https:// or wss://`);
}
