import { createHash, randomBytes } from 'node:crypto';
import type { Principal } from './token.ts';

/** Browsers that came with a token in a URL, and have a cookie instead now. */
export interface BrowserSessions {
  /** Lets a browser in. @returns the value of its cookie */
  open(principal: Principal): string;
  find(cookie: string): Principal | undefined;
}

/** Keeps the browsers that were let in, until the server ends. The oldest has to go when there are too many. */
export function createBrowserSessions(limit: number): BrowserSessions {
  // By digest, so that how long a look-up takes says nothing about a cookie.
  const sessions = new Map<string, Principal>();
  return {
    open: (principal) => {
      const cookie = randomBytes(24).toString('base64url');
      sessions.set(digest(cookie), principal);
      const [oldest] = sessions.keys();
      if (sessions.size > limit && oldest !== undefined) sessions.delete(oldest);
      return cookie;
    },
    find: (cookie) => sessions.get(digest(cookie)),
  };
}

function digest(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url');
}
