/** The value of a cookie, if the request has it. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * What a cookie is called in the browser. With the prefix, browsers take it over TLS only, and from no other host: not from
 * one below or beside ours, either.
 *
 * @param isEncrypted The browser came over TLS.
 */
export function cookieName(serverId: string, isEncrypted: boolean): string {
  return `${isEncrypted ? '__Host-' : ''}parley-${serverId}`;
}

/** A cookie for our own pages alone, which no script reads. */
export interface OwnCookie {
  /** The server that it is for. Cookies are for a host, regardless of the port: each server on it needs a name of its own. */
  readonly serverId: string;
  readonly value: string;
  /** How long the browser keeps it. 0 takes it away. */
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
