import { isIP } from 'node:net';

/** Which names the server answers to, and which web pages may call it. */
export interface OriginRules {
  /** Whether the `Host` of a request names this server. */
  isOwnHost(host: string): boolean;
  /**
   * Whether browsers reach this `Host` over TLS according to the allowed origins: a proxy in front of the server has
   * the certificate.
   */
  isEncryptedHost(host: string): boolean;
  /** What a page of this origin may do. `own` is one that this server sent. */
  judge(origin: string, host: string): 'own' | 'allowed' | 'refused';
}

/** Origins and hosts that are allowed in addition to the server's own. */
export interface OriginOptions {
  /** Origins such as `https://app.example.com`, or `*` for any. */
  readonly allowedOrigins: readonly string[];
  /** Names of this machine that requests may be addressed to, in addition to those in the origins. */
  readonly hosts: readonly string[];
}

/**
 * Detects requests that a user's browser was tricked into: a foreign name that suddenly leads here (DNS
 * rebinding), or a page from elsewhere. An address or `localhost` cannot be pointed anywhere by a stranger.
 */
export function createOriginRules({ allowedOrigins, hosts }: OriginOptions): OriginRules {
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/u, '')));
  const names = new Set([...hosts.map((host) => host.toLowerCase()), ...hostsOf(origins)]);
  return {
    isOwnHost: (host) => {
      const name = withoutPort(host.toLowerCase());
      return (
        isIP(name.replace(/^\[(.*)\]$/u, '$1')) !== 0 ||
        name === 'localhost' ||
        name.endsWith('.localhost') ||
        names.has(name)
      );
    },
    isEncryptedHost: (host) => origins.has(originOf('https', host)) && !origins.has(originOf('http', host)),
    judge: (origin, host) => {
      const given = origin.toLowerCase();
      // The scheme may be another: a proxy in front of us has the certificate.
      if (/^https?:\/\/(.+)$/u.exec(given)?.[1] === host.toLowerCase()) return 'own';
      return origins.has('*') || origins.has(given) ? 'allowed' : 'refused';
    },
  };
}

/** As origins are written: without the scheme's own port. */
function originOf(scheme: 'http' | 'https', host: string): string {
  const text = `${scheme}://${host}`;
  return URL.canParse(text) ? new URL(text).origin : text;
}

function hostsOf(origins: Iterable<string>): string[] {
  return Array.from(origins, (origin) => (URL.canParse(origin) ? new URL(origin).hostname : '')).filter(
    (name) => name !== '',
  );
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/u, '');
}
