import { createHash, randomBytes } from 'node:crypto';

/** Browsers that have signed in with a token, and now use a cookie. */
export interface BrowserSessions {
  /** Distinguishes the cookies of this server from those of other servers on the same host. */
  readonly serverId: string;
  /**
   * The SHA-256 digest behind sign-in links of a server that was started without a token. It is random, so that no
   * token has it, and stored, so that its browsers stay signed in after a restart.
   */
  readonly ownDigest: string;
  /**
   * Signs in a browser.
   *
   * @param token SHA-256 of its token: the cookie is valid as long as the token.
   * @returns The value of the cookie.
   */
  open(token: string): string;
  /** Returns the session of a cookie, and records its use. */
  find(cookie: string): BrowserSession | undefined;
  has(id: string): boolean;
  end(id: string): void;
}

/** The browsers that a process remembers. */
export interface RememberedBrowsers extends BrowserSessions {
  /** Replaces what is remembered. */
  replace(records: readonly BrowserRecord[]): void;
}

/** A signed-in browser. */
export interface BrowserSession {
  /** Identifies the browser. Not a credential. */
  readonly id: string;
  /** SHA-256 of its token. */
  readonly token: string;
  /** Whether the response must send the cookie again to extend it. */
  readonly isRenewed: boolean;
}

/** A stored browser session, or the stored id of the server. */
export type BrowserRecord =
  | { readonly kind: 'server'; readonly id: string }
  | { readonly kind: 'own'; readonly id: string }
  | { readonly kind: 'browser'; readonly id: string; readonly token: string; readonly seenAt: number };

/** How browsers are remembered. */
export interface BrowserSessionsOptions {
  /** Maximum number of sessions. The one used least recently is discarded first. */
  readonly limit: number;
  /** How long a browser may stay away. */
  readonly lifetimeMs: number;
  /** The wall clock: when a browser was seen is stored. */
  readonly now: () => number;
  /** Records of an earlier process. @default none */
  readonly records?: readonly BrowserRecord[];
  /** A browser was seen, or has signed out. @default not observed */
  readonly onChange?: (change: BrowserChange) => void;
}

/** What changed about a browser. Without a token, it has signed out. */
export interface BrowserChange {
  readonly id: string;
  readonly browser?: { readonly token: string; readonly seenAt: number };
}

/** Interval of renewals of a browser's cookie. */
const renewMs = 24 * 60 * 60 * 1000;

/** Keeps the browsers that were let in. */
export function createBrowserSessions(options: BrowserSessionsOptions): RememberedBrowsers {
  const { limit, lifetimeMs, now, records = [], onChange } = options;
  // By digest, so that how long a look-up takes says nothing about a cookie, and the file of them cannot be used to sign in.
  const browsers = new Map<string, { readonly token: string; readonly seenAt: number }>();
  const { serverId, ownDigest } = identityIn(records);
  const replace = (current: readonly BrowserRecord[]): void => {
    browsers.clear();
    for (const record of current) if (record.kind === 'browser') browsers.set(record.id, record);
  };
  replace(records);
  const see = (id: string, token: string): void => {
    const browser = { token, seenAt: now() };
    browsers.delete(id);
    browsers.set(id, browser);
    dropFirst(browsers, limit);
    onChange?.({ id, browser });
  };
  const findKnown = (id: string): { readonly token: string; readonly seenAt: number } | undefined => {
    const browser = browsers.get(id);
    return browser === undefined || browser.seenAt + lifetimeMs <= now() ? undefined : browser;
  };
  return {
    serverId,
    ownDigest,
    open: (token) => {
      const cookie = randomBytes(24).toString('base64url');
      see(digest(cookie), token);
      return cookie;
    },
    find: (cookie) => {
      const id = digest(cookie);
      const browser = findKnown(id);
      if (browser === undefined) return undefined;
      const isRenewed = browser.seenAt + renewMs <= now();
      if (isRenewed) see(id, browser.token);
      return { id, token: browser.token, isRenewed };
    },
    has: (id) => findKnown(id) !== undefined,
    end: (id) => {
      if (browsers.delete(id)) onChange?.({ id });
    },
    replace,
  };
}

/** What cookies of the server are called, and what its sign-in links rest on: as stored, else new. */
export function identityIn(
  records: readonly BrowserRecord[],
): Pick<BrowserSessions, 'serverId' | 'ownDigest'> {
  const idOf = (kind: 'server' | 'own'): string | undefined =>
    records.find((record) => record.kind === kind)?.id;
  return {
    serverId: idOf('server') ?? randomBytes(6).toString('hex'),
    ownDigest: idOf('own') ?? randomBytes(32).toString('hex'),
  };
}

/** Removes the first entry of a map, which is the oldest. */
function dropFirst(kept: Map<string, unknown>, limit: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= limit) return;
    kept.delete(key);
  }
}

function digest(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex');
}
