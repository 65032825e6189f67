import type { AapServerLimits } from '../limits.ts';
import type { Idempotency } from '../session/idempotency.ts';
import { invalidRequest } from './exchange.ts';

/** By which a request is known when it comes again, if it wants to be. */
export async function readIdempotency(
  { headers }: Request,
  bytes: Uint8Array<ArrayBuffer>,
  { keyChars }: AapServerLimits,
): Promise<Idempotency | undefined> {
  const key = headers.get('idempotency-key');
  if (key === null) return undefined;
  if (key === '' || key.length > keyChars) {
    throw invalidRequest(`Idempotency-Key: expected 1 to ${String(keyChars)} characters`);
  }
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { key, bodyHash: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
