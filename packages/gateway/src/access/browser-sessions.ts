import { createHash, randomBytes } from 'node:crypto';

/** Browsers that brought a token once, and have a cookie instead now. */
export interface BrowserSessions {
  /** Distinguishes the cookies of this server from those of others on the same host. */
  readonly serverId: string;
  /**
   * Lets a browser in.
   *
   * @param token SHA-256 of the token it brought: the cookie counts as long as that does.
   * @returns The value of its cookie.
   */
  open(token: string): string;
  /** The session of a cookie, which was used just now. */
  find(cookie: string): BrowserSession | undefined;
  has(id: string): boolean;
  end(id: string): void;
}

/** A browser that is signed in. */
export interface BrowserSession {
  /** Names it, and is no credential. */
  readonly id: string;
  /** SHA-256 of its token. */
  readonly token: string;
  /** The browser has to be given the cookie again, for it to live longer. */
  readonly isRenewed: boolean;
}

/** What is stored of a session, or of the server that it is one of. */
export type BrowserRecord =
  | { readonly kind: 'server'; readonly id: string }
  | { readonly kind: 'browser'; readonly id: string; readonly token: string; readonly seenAt: number };

/** How browsers are remembered. */
export interface BrowserSessionsOptions {
  /** The one that was seen longest ago goes first. */
  readonly limit: number;
  /** How long a browser may stay away. */
  readonly lifetimeMs: number;
  /** The wall clock: when a browser was seen is stored. */
  readonly now: () => number;
  /** What is remembered from before. @default nothing */
  readonly records?: readonly BrowserRecord[];
  /** What is to be remembered has changed. @default not observed */
  readonly onChange?: (records: readonly BrowserRecord[]) => void;
}

/** A cookie is given again at most once a day: what is kept would change with each request otherwise. */
const renewMs = 24 * 60 * 60 * 1000;

/** Keeps the browsers that were let in. */
export function createBrowserSessions(options: BrowserSessionsOptions): BrowserSessions {
  const { limit, lifetimeMs, now, records = [], onChange } = options;
  // By digest, so that how long a look-up takes says nothing about a cookie, and the file of them cannot be used to sign in.
  const browsers = new Map<string, { readonly token: string; readonly seenAt: number }>();
  let serverId = randomBytes(6).toString('hex');
  for (const record of records) {
    if (record.kind === 'server') serverId = record.id;
    else browsers.set(record.id, record);
  }
  const changed = (): void => {
    dropFirst(browsers, limit);
    onChange?.([
      { kind: 'server', id: serverId },
      ...Array.from(browsers, ([id, browser]) => ({ kind: 'browser' as const, id, ...browser })),
    ]);
  };
  const see = (id: string, token: string): void => {
    browsers.delete(id);
    browsers.set(id, { token, seenAt: now() });
    changed();
  };
  return {
    serverId,
    open: (token) => {
      const cookie = randomBytes(24).toString('base64url');
      see(digest(cookie), token);
      return cookie;
    },
    find: (cookie) => {
      const id = digest(cookie);
      const browser = browsers.get(id);
      if (browser === undefined || browser.seenAt + lifetimeMs <= now()) return undefined;
      const isRenewed = browser.seenAt + renewMs <= now();
      if (isRenewed) see(id, browser.token);
      return { id, token: browser.token, isRenewed };
    },
    has: (id) => browsers.has(id),
    end: (id) => {
      if (browsers.delete(id)) changed();
    },
  };
}

/** In a map, what was added longest ago comes first. */
function dropFirst(kept: Map<string, unknown>, limit: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= limit) return;
    kept.delete(key);
  }
}

function digest(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex');
}
