import { createHash, randomBytes } from 'node:crypto';

/** Links that sign in one browser, once. */
export interface OneTimeLinks {
  /**
   * Creates the code of a link.
   *
   * @param token SHA-256 of the token that creates it: the link grants the same rights.
   */
  make(token: string, options?: OneTimeLinkOptions): string;
  /** Whether a code is valid. It stays so. */
  has(code: string): boolean;
  /** The token that a code was made with. The code is invalid from then on. */
  take(code: string): string | undefined;
}

/** Options of a link. */
export interface OneTimeLinkOptions {
  /** Infinity for a link that is valid until it is used. @default that of the links */
  readonly lifetimeMs?: number;
}

/** How many links there may be, and for how long. */
export interface OneTimeLinksOptions {
  /** Maximum number of links per token, without those that never expire. The oldest is discarded first. */
  readonly limit: number;
  readonly lifetimeMs: number;
  /** A clock that only goes forward, in milliseconds. */
  readonly now: () => number;
}

/** Stores the links that have not been used yet. */
export function createOneTimeLinks({ limit, lifetimeMs, now }: OneTimeLinksOptions): OneTimeLinks {
  // By digest, so that how long a look-up takes says nothing about a code.
  const links = new Map<string, { readonly token: string; readonly expiresAt: number }>();
  const find = (code: string): { readonly token: string } | undefined => {
    const link = links.get(digest(code));
    return link === undefined || link.expiresAt <= now() ? undefined : link;
  };
  return {
    make: (token, { lifetimeMs: ownMs = lifetimeMs } = {}) => {
      for (const [key, { expiresAt }] of links) if (expiresAt <= now()) links.delete(key);
      const own = [...links].filter(([, link]) => link.token === token && link.expiresAt < Infinity);
      const [oldest] = own.length >= limit ? own : [];
      if (oldest !== undefined) links.delete(oldest[0]);
      const code = `once_${randomBytes(24).toString('base64url')}`;
      links.set(digest(code), { token, expiresAt: now() + ownMs });
      return code;
    },
    has: (code) => find(code) !== undefined,
    take: (code) => {
      const token = find(code)?.token;
      links.delete(digest(code));
      return token;
    },
  };
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
