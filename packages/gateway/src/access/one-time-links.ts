import { createHash, randomBytes } from 'node:crypto';

/** Links that let one browser in, once. */
export interface OneTimeLinks {
  /**
   * Makes the code of a link.
   *
   * @param token SHA-256 of the token whose holder makes it: the link opens what that token does.
   */
  make(token: string): OneTimeCode;
  /** The token that a code stands for. It is of no use from then on. */
  take(code: string): string | undefined;
}

/** What a link has in it. */
export interface OneTimeCode {
  readonly code: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** How many links there may be, and for how long. */
export interface OneTimeLinksOptions {
  /** Of one token. The oldest goes first. */
  readonly limit: number;
  readonly lifetimeMs: number;
  readonly now: () => number;
}

/** Remembers the links that nobody has opened yet. */
export function createOneTimeLinks({ limit, lifetimeMs, now }: OneTimeLinksOptions): OneTimeLinks {
  // By digest, so that how long a look-up takes says nothing about a code.
  const links = new Map<string, { readonly token: string; readonly expiresAt: number }>();
  return {
    make: (token) => {
      for (const [key, { expiresAt }] of links) if (expiresAt <= now()) links.delete(key);
      const own = [...links].filter(([, link]) => link.token === token);
      const [oldest] = own.length >= limit ? own : [];
      if (oldest !== undefined) links.delete(oldest[0]);
      const code = `once_${randomBytes(24).toString('base64url')}`;
      const expiresAt = now() + lifetimeMs;
      links.set(digest(code), { token, expiresAt });
      return { code, expiresAt };
    },
    take: (code) => {
      const key = digest(code);
      const link = links.get(key);
      links.delete(key);
      return link === undefined || link.expiresAt <= now() ? undefined : link.token;
    },
  };
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
