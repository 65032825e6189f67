import { cookieName, readCookie, toSetCookie } from './cookie.ts';
import type { OriginRules } from './origin-rules.ts';

/** A request, and how it came. */
export interface ArrivedRequest {
  readonly request: Request;
  readonly isEncrypted: boolean;
}

/** Options of {@link BrowserCookies}. */
export interface BrowserCookiesOptions {
  /** The id in the names of its cookies: another server on the same host has others. */
  readonly serverId: string;
  readonly lifetimeMs: number;
  readonly origins: OriginRules;
}

/** The cookie of a request, and how it came. */
export interface FoundCookie {
  readonly value: string;
  readonly isEncrypted: boolean;
}

/** The cookies by which a server recognises signed-in browsers. */
export class BrowserCookies {
  readonly #options: BrowserCookiesOptions;

  constructor(options: BrowserCookiesOptions) {
    this.#options = options;
  }

  /**
   * The cookie of this server in a request. Browsers have the one with the prefix from TLS alone, so that it counts
   * regardless of the proxy; the other could be set by any server there.
   */
  read(arrival: ArrivedRequest): FoundCookie | undefined {
    const { serverId, origins } = this.#options;
    const read = (isEncrypted: boolean): string | undefined =>
      readCookie(arrival.request, cookieName(serverId, isEncrypted));
    const encrypted = read(true);
    if (encrypted !== undefined) return { value: encrypted, isEncrypted: true };
    const plain = isEncryptedForBrowser(arrival, origins) ? undefined : read(false);
    return plain === undefined ? undefined : { value: plain, isEncrypted: false };
  }

  /** The header that gives a browser its cookie; an empty value removes it. */
  header(value: string, isEncrypted: boolean): string {
    const { serverId, lifetimeMs } = this.#options;
    return toSetCookie({ serverId, value, maxAgeMs: value === '' ? 0 : lifetimeMs, isEncrypted });
  }
}

/**
 * Whether the browser connected over TLS, to this server or to a proxy in front of it. A client that sends false
 * headers only receives a cookie that it sends less often.
 */
export function isEncryptedForBrowser(
  { request, isEncrypted }: ArrivedRequest,
  origins: OriginRules,
): boolean {
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',', 1)[0]?.trim().toLowerCase();
  return isEncrypted || forwarded === 'https' || origins.isEncryptedHost(request.headers.get('host') ?? '');
}
