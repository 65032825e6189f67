import { request } from 'node:https';
import { checkedLookup } from '@parley/workspace';
import { literalAddress, type AllowsAddress } from './push-device.ts';

/** How a message reaches a push service. */
export interface PushNetwork {
  /** Which addresses it may have. */
  readonly allows: AllowsAddress;
  /** Certificate authorities to trust, in PEM. @default those of Node */
  readonly ca?: string;
}

/** A message for a push service. */
export interface PushPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

/** What a push service answered. */
export interface PushAnswer {
  readonly status: number;
  /** How long the push service asks to wait before the next attempt. */
  readonly retryAfterMs?: number;
}

/**
 * Posts a message to a push service. The name is resolved once, only an address that was checked is connected to, and redirects are
 * not followed. Rejects when the service cannot be reached, or has an address that is not allowed.
 */
export function postPush(
  url: URL,
  { headers, body, signal }: PushPost,
  { allows, ca }: PushNetwork,
): Promise<PushAnswer> {
  const refusal = (): Error => new Error(`${url.host} is this machine, or in a private network`);
  const address = literalAddress(url);
  if (url.protocol !== 'https:' || (address !== undefined && !allows(address))) {
    return Promise.reject(refusal());
  }
  return new Promise((resolve, reject) => {
    request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.byteLength) },
      signal,
      agent: false,
      lookup: checkedLookup(allows, refusal),
      ...(ca !== undefined && { ca }),
    })
      .on('response', (response) => {
        const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
        resolve({
          status: response.statusCode ?? 0,
          ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
        });
        // Only the status counts.
        response.on('error', () => undefined).destroy();
      })
      .on('error', reject)
      .end(body);
  });
}
