/** The value of a cookie, if the request has it. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * The name of the cookie in the browser. Browsers accept the prefix only over TLS, and only from this exact host.
 *
 * @param isEncrypted Whether the browser connected over TLS.
 */
export function cookieName(serverId: string, isEncrypted: boolean): string {
  return `${isEncrypted ? '__Host-' : ''}parley-${serverId}`;
}

/** A cookie for our own pages alone, which no script reads. */
export interface OwnCookie {
  /**
   * The server it belongs to. Cookies apply to a host regardless of the port, so each server needs a name of its own.
   */
  readonly serverId: string;
  readonly value: string;
  /** How long the browser stores it. 0 deletes it. */
  readonly maxAgeMs: number;
  /** The browser came over TLS: it is not to send it otherwise. */
  readonly isEncrypted: boolean;
}

/** The header that sets a cookie. */
export function toSetCookie({ serverId, value, maxAgeMs, isEncrypted }: OwnCookie): string {
  return [
    `${cookieName(serverId, isEncrypted)}=${value}`,
    'Path=/',
    `Max-Age=${String(Math.floor(maxAgeMs / 1000))}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isEncrypted ? ['Secure'] : []),
  ].join('; ');
}
