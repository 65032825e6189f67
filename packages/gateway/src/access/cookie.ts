/** The value of a cookie, if the request has it. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** A cookie for our own pages alone, which no script reads. */
export interface OwnCookie {
  readonly name: string;
  readonly value: string;
  /** How long the browser keeps it. 0 takes it away. */
  readonly maxAgeMs: number;
  /** The browser came over TLS: it is not to send it otherwise. */
  readonly isEncrypted: boolean;
}

/** The header that sets a cookie. */
export function toSetCookie({ name, value, maxAgeMs, isEncrypted }: OwnCookie): string {
  return [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${String(Math.floor(maxAgeMs / 1000))}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isEncrypted ? ['Secure'] : []),
  ].join('; ');
}
